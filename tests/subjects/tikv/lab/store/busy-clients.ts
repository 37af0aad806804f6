import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '../../../../../bench/linearizability/operation.js';
import { recordedClient } from '../../../../../bench/linearizability/recorded-client.js';
import { createStoreClient } from '../../../../../subjects/tikv/lab/store/client.js';

export interface BusyClientsOptions {
  readonly pd: readonly string[];
  readonly clients: number;
  readonly keys: readonly string[];
}

/**
 * Clients that go round a few keys without end, half of them writing, the others reading, each with connections and a memory of
 * leaders of its own.
 */
export interface BusyClients {
  /** What was answered so far. */
  readonly operations: readonly Operation[];
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/** Between two operations of one client, so that a machine of two cores has time for the stores. */
const BREATH_MS = 8;

/** Every value is written once, so that a read tells by which write. */
export function startBusyClients({ pd, clients, keys }: BusyClientsOptions): BusyClients {
  const operations: Operation[] = [];
  let stopped = false;

  async function work(number: number): Promise<void> {
    const client = createStoreClient({ pd, attemptMs: 300, giveUpMs: 3_000 });
    const recorded = recordedClient({
      client,
      now: () => performance.now(),
      record: (operation) => operations.push(operation),
    });
    for (let turn = number; !stopped; turn += 1) {
      const key = keys[turn % keys.length]!;
      await (number % 2 === 0 ? recorded.put(key, `${number}-${turn}`) : recorded.get(key));
      await pause(BREATH_MS);
    }
    client.close();
  }

  const all = Promise.all(Array.from({ length: clients }, (_, number) => work(number)));
  // Whoever stops is told; nobody is before.
  all.catch(() => undefined);
  return {
    operations,
    async stop() {
      stopped = true;
      await all;
    },
  };
}
