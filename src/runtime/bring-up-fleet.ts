import type { Client } from '@temporalio/client';
import type { FleetSubject } from '../config/subject.js';
import { type Connected, connectClient } from './connection.js';
import { type Foundation, type FoundationOptions, onFoundation, prepareStage } from './foundation.js';
import { ensureSearchAttributes } from './search-attributes.js';
import { NAMESPACE, type Ports, startTemporal } from './start-temporal.js';
import { startWorker, TASK_QUEUE, workerSettings } from './start-worker.js';
import type { TemporalPlace } from './temporal-env.js';

export interface FleetOptions extends FoundationOptions {
  readonly subjects: readonly FleetSubject[];
  /** `null`: a dev server of our own, kept in the home. */
  readonly temporal: TemporalPlace | null;
}

/** A Medic for clusters that it did not make: a worker, and Temporal unless there is one. */
export interface RunningFleet {
  readonly client: Client;
  readonly address: string;
  /** `null`: whoever runs Temporal knows where its UI is. */
  readonly uiUrl: string | null;
  readonly metricsUrl: string;
  /** Ends what was started here, the worker first. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts everything and returns when it works. On any failure what was started is ended again.
 *
 * @throws MedicError of the instance, the ports, Temporal, or of a child that did not come up
 */
export const bringUpFleet = (options: FleetOptions): Promise<RunningFleet> =>
  onFoundation(options, (foundation) => startAll(options, foundation));

async function startAll(options: FleetOptions, foundation: Foundation): Promise<RunningFleet> {
  const { instance, supervisor, port, close } = foundation;
  const stage = prepareStage(instance.home, 'kept');
  const metrics = await port('--metrics-port', 9464, options.ports.metrics);
  const { temporal, ui, connected } = await reachTemporal(options, { foundation, stage, metrics });
  await startWorker(supervisor, {
    stage,
    settings: workerSettings(options, {
      home: instance.home,
      stage,
      temporal,
      labDir: null,
      subjects: [...options.subjects],
      metricsPort: metrics,
    }),
    env: options.workerEnv,
  });
  const uiUrl = ui === null ? null : `http://127.0.0.1:${ui}`;
  instance.publish({
    ...temporal,
    taskQueuePrefix: TASK_QUEUE,
    ...(uiUrl === null ? {} : { uiUrl }),
    ports: { metrics },
    processes: supervisor.processes(),
  });
  return {
    client: connected.client,
    address: temporal.address,
    uiUrl,
    metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
    stop: async () => {
      await connected.connection.close();
      await close();
    },
  };
}

interface Reached {
  readonly temporal: TemporalPlace;
  /** Port of its UI; `null`: it is not ours. */
  readonly ui: number | null;
  readonly connected: Connected;
}

async function reachTemporal(
  options: FleetOptions,
  { foundation: { supervisor, port }, stage, metrics }: { foundation: Foundation; stage: string; metrics: number },
): Promise<Reached> {
  if (options.temporal)
    return { temporal: options.temporal, ui: null, connected: await joinTemporal(options.temporal) };
  const ports: Ports = {
    temporal: await port('--temporal-port', 7233, options.ports.temporal),
    ui: await port('--ui-port', 8233, options.ports.ui),
    metrics,
  };
  const address = `127.0.0.1:${ports.temporal}`;
  const connected = await startTemporal(supervisor, { stage, address, ports });
  return { temporal: { address, namespace: NAMESPACE }, ui: ports.ui, connected };
}

/** Their retention is theirs; the search attributes have to be there before a worker starts. */
async function joinTemporal(place: TemporalPlace): Promise<Connected> {
  const connected = await connectClient(place);
  try {
    await ensureSearchAttributes({ connection: connected.connection, namespace: place.namespace });
    return connected;
  } catch (error) {
    await connected.connection.close();
    throw error;
  }
}
