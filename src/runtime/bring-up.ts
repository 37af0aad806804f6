import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { connectLab, type Lab } from '../../subjects/tikv/lab/labd/client.js';
import type { LabRegions } from '../../subjects/tikv/lab/labd/topology.js';
import { MedicError } from '../domain/errors.js';
import { type Foundation, type FoundationOptions, onFoundation, prepareStage, type Stage } from './foundation.js';
import { compiledFile } from './package-root.js';
import { withoutSecrets } from './process/clean-env.js';
import type { Supervisor } from './process/supervisor.js';
import { NAMESPACE, startTemporal } from './start-temporal.js';
import { startWorker, TASK_QUEUE, workerSettings } from './start-worker.js';

export interface BringUpOptions extends FoundationOptions {
  readonly stage: Stage;
  readonly stores: number;
  /** What the regions of a new lab are to be like; default: those of every lab. */
  readonly regions?: LabRegions;
}

/** A whole Medic on this machine: Temporal, lab and worker as siblings under this process. */
export interface Running {
  readonly home: string;
  readonly client: Client;
  readonly lab: Lab;
  readonly labDir: string;
  readonly uiUrl: string;
  readonly address: string;
  readonly metricsUrl: string;
  readonly processes: () => Record<string, number>;
  /** Ends everything, the worker first. */
  readonly stop: () => Promise<void>;
}

const LAB_WITHIN_MS = 45_000;

/**
 * Starts everything and returns when it works. On any failure what was started is ended again.
 *
 * @throws MedicError of the instance, the ports, the Temporal CLI, or of a child that did not come up
 */
export const bringUp = (options: BringUpOptions): Promise<Running> =>
  onFoundation(options, (foundation) => startAll(options, foundation));

async function startAll(options: BringUpOptions, { instance, supervisor, port, close }: Foundation): Promise<Running> {
  const stage = prepareStage(instance.home, options.stage);
  const ports = {
    temporal: await port('--temporal-port', 7233, options.ports.temporal),
    ui: await port('--ui-port', 8233, options.ports.ui),
    metrics: await port('--metrics-port', 9464, options.ports.metrics),
  };
  const address = `127.0.0.1:${ports.temporal}`;
  const labDir = join(stage, 'lab');
  const [connected, lab] = await Promise.all([
    startTemporal(supervisor, { stage, address, ports }),
    startLab(supervisor, { stage, labDir, options }),
  ]);
  await startWorker(supervisor, {
    stage,
    settings: workerSettings(options, {
      home: instance.home,
      stage,
      temporal: { address, namespace: NAMESPACE },
      labDir,
      subjects: [],
      metricsPort: ports.metrics,
    }),
    env: options.workerEnv,
  });
  const uiUrl = `http://127.0.0.1:${ports.ui}`;
  instance.publish({
    address,
    namespace: NAMESPACE,
    taskQueuePrefix: TASK_QUEUE,
    uiUrl,
    labDir,
    ports,
    processes: supervisor.processes(),
  });
  return {
    home: instance.home,
    client: connected.client,
    lab,
    labDir,
    uiUrl,
    address,
    metricsUrl: `http://127.0.0.1:${ports.metrics}/metrics`,
    processes: supervisor.processes,
    stop: async () => {
      await connected.connection.close();
      await close();
    },
  };
}

async function startLab(
  supervisor: Supervisor,
  { stage, labDir, options }: { stage: string; labDir: string; options: BringUpOptions },
): Promise<Lab> {
  await supervisor.start(
    {
      name: 'lab',
      command: process.execPath,
      args: [
        compiledFile('subjects/tikv/lab/labd/main.ts'),
        ...['--dir', labDir, '--profile', options.profile, '--stores', String(options.stores)],
        ...regionOptions(options.regions),
      ],
      env: withoutSecrets(process.env),
      logFile: join(stage, 'logs', 'labd.log'),
    },
    { isUp: () => labAnswers(labDir), withinMs: LAB_WITHIN_MS },
  );
  const lab = connectLab(labDir);
  const health = await lab.waitHealthy({
    deadlineMs: LAB_WITHIN_MS,
    leaders: options.stage === 'demo' ? 'spread' : 'anywhere',
  });
  if (health.healthy) return lab;
  throw new MedicError('MEDIC_LAB_UNHEALTHY', `after ${health.tookMs} ms still missing: ${health.missing.join('; ')}`);
}

const regionOptions = ({ regions, regionMib }: LabRegions = {}): string[] => [
  ...(regions === undefined ? [] : ['--regions', String(regions)]),
  ...(regionMib === undefined ? [] : ['--region-mib', String(regionMib)]),
];

async function labAnswers(labDir: string): Promise<boolean> {
  try {
    await connectLab(labDir).ps();
    return true;
  } catch {
    return false;
  }
}
