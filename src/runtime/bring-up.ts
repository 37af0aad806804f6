import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import { connectLab, type Lab } from '../../subjects/tikv/lab/labd/client.js';
import type { LabRegions } from '../../subjects/tikv/lab/labd/topology.js';
import type { ProfileName } from '../../subjects/tikv/profiles.js';
import { usualIdentityFile } from '../config/identity.js';
import type { IntakeConfig } from '../config/intake.js';
import { MedicError } from '../domain/errors.js';
import { type Connected, connectClient } from './connection.js';
import { contentFiles } from './content.js';
import { compiledFile, packageRoot } from './package-root.js';
import { withoutSecrets } from './process/clean-env.js';
import { devServerChild } from './process/dev-server.js';
import { type Instance, openInstance } from './process/instance.js';
import { type ClaimedPort, claimPort } from './process/ports.js';
import { type ChildEvent, createSupervisor, type Supervisor } from './process/supervisor.js';
import { temporalCli } from './process/temporal-cli.js';
import { setRetention } from './retention.js';
import { ensureSearchAttributes } from './search-attributes.js';
import type { TemporalPlace } from './temporal-env.js';
import { DEFAULT_WAITS, type WorkerSettings } from './worker/settings.js';
import { forgetStartError, startErrorIn } from './worker/start-error.js';

export interface BringUpOptions {
  readonly home: string;
  /** Folder of database, lab and logs below the home: `demo` is emptied first, `.` is kept. */
  readonly stage: 'demo' | 'kept';
  readonly profile: ProfileName;
  readonly stores: number;
  /** What the regions of a new lab are to be like; default: those of every lab. */
  readonly regions?: LabRegions;
  readonly reasoner: WorkerSettings['reasoner'];
  /** Ports that were asked for; a taken one is an error, the others are found. */
  readonly ports: { readonly temporal?: number; readonly ui?: number; readonly metrics?: number };
  /** Environment of the worker, which holds the key of the model. Default: this process's. */
  readonly workerEnv?: NodeJS.ProcessEnv;
  /** medic.yaml; absent or `null`: there is none. */
  readonly configFile?: string | null;
  /** Where alerts are taken. Absent: nowhere. */
  readonly intake?: IntakeConfig;
  readonly waits?: Partial<WorkerSettings['waits']>;
  /** Hears of children that died and came back. */
  readonly report: (event: ChildEvent) => void;
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

export const NAMESPACE = 'default';
export const TASK_QUEUE = 'medic';
const RETENTION_DAYS = 30;
const TEMPORAL_WITHIN_MS = 30_000;
const LAB_WITHIN_MS = 45_000;
const WORKER_WITHIN_MS = 45_000;

/**
 * Starts everything and returns when it works. On any failure what was started is ended again.
 *
 * @throws MedicError of the instance, the ports, the Temporal CLI, or of a child that did not come up
 */
export async function bringUp(options: BringUpOptions): Promise<Running> {
  const instance = openInstance({ home: options.home });
  const supervisor = createSupervisor({ report: options.report });
  const claimed: ClaimedPort[] = [];
  const close = async () => {
    await supervisor.stop();
    for (const port of claimed) port.release();
    instance.close();
  };
  try {
    return await startAll(options, { instance, supervisor, claimed, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  readonly instance: Instance;
  readonly supervisor: Supervisor;
  readonly claimed: ClaimedPort[];
  readonly close: () => Promise<void>;
}

async function startAll(options: BringUpOptions, { instance, supervisor, claimed, close }: Parts): Promise<Running> {
  const stage = prepareStage(instance.home, options.stage);
  const port = async (option: string, preferred: number, asked?: number) => {
    const claim = await claimPort({ option, preferred, asked });
    claimed.push(claim);
    return claim.port;
  };
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

/** A demo begins with an empty lab and an empty database, so that nothing of an earlier one counts. */
export function prepareStage(home: string, stage: BringUpOptions['stage']): string {
  const folder = stage === 'demo' ? join(home, 'demo') : home;
  if (stage === 'demo') rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
  return folder;
}

export interface Ports {
  readonly temporal: number;
  readonly ui: number;
  readonly metrics: number;
}

export async function startTemporal(
  supervisor: Supervisor,
  { stage, address, ports }: { stage: string; address: string; ports: Ports },
): Promise<Connected> {
  const child = devServerChild({
    cli: temporalCli(),
    port: ports.temporal,
    uiPort: ports.ui,
    dbFile: join(stage, 'temporal.db'),
    logFile: join(stage, 'logs', 'temporal.log'),
  });
  const isUp = () => connectOnce(address).then((up) => up !== null);
  await supervisor.start(child, { isUp, withinMs: TEMPORAL_WITHIN_MS });
  const connected = await connectClient({ address, namespace: NAMESPACE });
  await setRetention({ connection: connected.connection, namespace: NAMESPACE, days: RETENTION_DAYS });
  await ensureSearchAttributes({ connection: connected.connection, namespace: NAMESPACE });
  return connected;
}

/** `true` once the namespace answers; the front end listens a moment before it knows its namespaces. */
async function connectOnce(address: string): Promise<true | null> {
  try {
    const { connection } = await connectClient({ address, namespace: NAMESPACE, withinMs: 1_000 });
    try {
      await connection.workflowService.describeNamespace({ namespace: NAMESPACE });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return null;
  }
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

/** What a worker is told, wherever its Temporal is and whatever it cares for. */
export function workerSettings(
  options: Pick<BringUpOptions, 'profile' | 'reasoner' | 'configFile' | 'intake' | 'waits'>,
  where: {
    readonly home: string;
    readonly stage: string;
    readonly temporal: TemporalPlace;
    readonly labDir: string | null;
    readonly subjects: WorkerSettings['subjects'];
    readonly metricsPort: number;
  },
): WorkerSettings {
  const { home, stage, temporal, labDir, subjects, metricsPort } = where;
  const root = packageRoot();
  return {
    home,
    stateDir: stage,
    ...temporal,
    taskQueue: TASK_QUEUE,
    labDir,
    subjects,
    profile: options.profile,
    reasoner: options.reasoner,
    ...contentFiles(),
    configFile: options.configFile ?? null,
    intake: options.intake ?? null,
    metricsPort,
    ownPaths: [
      resolve(home),
      ...['policies', 'agents', 'dist'].map((folder) => join(root, folder)),
      // Whoever reads a person's key can approve.
      resolve(process.env.MEDIC_IDENTITY || usualIdentityFile(process.env, homedir())),
      ...(options.configFile ? [options.configFile] : []),
    ],
    waits: { ...DEFAULT_WAITS, ...options.waits },
  };
}

export async function startWorker(
  supervisor: Supervisor,
  { stage, settings, env }: { stage: string; settings: WorkerSettings; env: NodeJS.ProcessEnv | undefined },
): Promise<void> {
  const file = join(stage, 'worker.json');
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  const worker = {
    name: 'worker',
    command: process.execPath,
    args: [compiledFile('src/runtime/worker/main.ts'), '--settings', file],
    env,
    logFile: join(stage, 'logs', 'worker.log'),
  };
  const isUp = () => answers(`http://127.0.0.1:${settings.metricsPort}/healthz`);
  forgetStartError(stage);
  try {
    await supervisor.start(worker, { isUp, withinMs: WORKER_WITHIN_MS });
  } catch (error) {
    throw startErrorIn(stage) ?? error;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
}
