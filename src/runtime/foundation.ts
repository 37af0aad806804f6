import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProfileName } from '../../subjects/tikv/profiles.js';
import type { IntakeConfig } from '../config/intake.js';
import { type Instance, openInstance } from './process/instance.js';
import { type ClaimedPort, claimPort } from './process/ports.js';
import { type ChildEvent, createSupervisor, type Supervisor } from './process/supervisor.js';
import type { WorkerSettings } from './worker/settings.js';

/** What every Medic is told, whatever it cares for. */
export interface FoundationOptions {
  readonly home: string;
  readonly profile: ProfileName;
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

/** What all children of one Medic stand on. */
export interface Foundation {
  readonly instance: Instance;
  readonly supervisor: Supervisor;
  /** Claims the port that was asked for, else the preferred one or the next that is free. */
  port(option: string, preferred: number, asked?: number): Promise<number>;
  /** Ends everything that was started, the last first. */
  close(): Promise<void>;
}

/**
 * Opens the instance and starts on it what `start` says. On any failure what was started is ended again.
 *
 * @throws MedicError of the instance and the ports, and whatever `start` throws
 */
export async function onFoundation<T>(
  { home, report }: Pick<FoundationOptions, 'home' | 'report'>,
  start: (foundation: Foundation) => Promise<T>,
): Promise<T> {
  const instance = openInstance({ home });
  const supervisor = createSupervisor({ report });
  const claimed: ClaimedPort[] = [];
  const port: Foundation['port'] = async (option, preferred, asked) => {
    const claim = await claimPort({ option, preferred, asked });
    claimed.push(claim);
    return claim.port;
  };
  const close = async () => {
    await supervisor.stop();
    for (const { release } of claimed) release();
    instance.close();
  };
  try {
    return await start({ instance, supervisor, port, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Folder of database, lab and logs below the home: `demo` is emptied first, so that nothing of an earlier one counts. */
export type Stage = 'demo' | 'kept';

export function prepareStage(home: string, stage: Stage): string {
  const folder = stage === 'demo' ? join(home, 'demo') : home;
  if (stage === 'demo') rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
  return folder;
}
