import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { usualIdentityFile } from '../config/identity.js';
import { contentFiles } from './content.js';
import type { FoundationOptions } from './foundation.js';
import { compiledFile, packageRoot } from './package-root.js';
import type { Supervisor } from './process/supervisor.js';
import type { TemporalPlace } from './temporal-env.js';
import { DEFAULT_WAITS, type WorkerSettings } from './worker/settings.js';
import { forgetStartError, startErrorIn } from './worker/start-error.js';

export const TASK_QUEUE = 'medic';
const WORKER_WITHIN_MS = 45_000;

/** What a worker is told, wherever its Temporal is and whatever it cares for. */
export function workerSettings(
  options: Pick<FoundationOptions, 'profile' | 'reasoner' | 'configFile' | 'intake' | 'waits'>,
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
