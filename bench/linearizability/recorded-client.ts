import { type FailureKind, MAX_RECORDED_FAILURES, type StoreClient } from '../../subjects/tikv/lab/store/client.js';
import type { Operation } from './operation.js';

export interface RecordedClientOptions {
  readonly client: Pick<StoreClient, 'get' | 'put'>;
  /** Of one clock for all clients of a history. */
  readonly now: () => number;
  readonly record: (operation: Operation) => void;
}

/** A client whose operations are recorded; each promise is fulfilled when the outcome is known or given up. */
export interface RecordedClient {
  get(key: string): Promise<void>;
  put(key: string, value: string): Promise<void>;
}

/** After these a write may have happened, or may happen still: the request lies with a store that does not answer. */
const UNKNOWN_OUTCOME: ReadonlySet<FailureKind> = new Set(['timeout', 'closed', 'StaleCommand']);

/**
 * Records what a client of the lab's stores is answered. The client tries again by itself; a write that is tried again
 * after an attempt of unknown outcome may take effect twice, so each such attempt is a write of its own here.
 *
 * Fails when a request had more failures than the client tells of.
 */
export function recordedClient({ client, now, record }: RecordedClientOptions): RecordedClient {
  return {
    async get(key) {
      const calledAt = now();
      const result = await client.get(key);
      if (result.ok) record({ kind: 'read', key, value: result.value, calledAt, returnedAt: now() });
    },
    async put(key, value) {
      const calledAt = now();
      const { ok, failures } = await client.put(key, value);
      const write = { kind: 'write' as const, key, value, calledAt };
      if (ok) record({ ...write, returnedAt: now() });
      if (failures.length >= MAX_RECORDED_FAILURES) throw new Error(`too many failures to know of all: ${key}`);
      for (const { kind } of failures) if (UNKNOWN_OUTCOME.has(kind)) record({ ...write, returnedAt: null });
    },
  };
}
