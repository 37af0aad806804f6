import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MedicError } from '../../domain/errors.js';
import { lockHolder, takeLock } from './lock-file.js';

/** What other verbs need to know of a running instance. */
export interface InstanceFacts {
  /** `host:port` of Temporal's front end. */
  readonly address: string;
  readonly namespace: string;
  /** Begins the name of every task queue of this instance, so that two can share a server. */
  readonly taskQueuePrefix: string;
  /** Base of the links into Temporal's web UI; absent when headless. */
  readonly uiUrl?: string;
  /** Folder of the lab under care; absent when the subject is no lab. */
  readonly labDir?: string;
  /** Ports by what they are for. */
  readonly ports: Readonly<Record<string, number>>;
  /** Leaders of the process groups, by name. */
  readonly processes: Readonly<Record<string, number>>;
}

/** A running instance, as {@link readInstance} finds it. */
export interface RunningInstance extends InstanceFacts {
  readonly pid: number;
  /** ISO time. */
  readonly since: string;
}

/** This process's hold on a home folder. */
export interface Instance {
  /** Absolute path. */
  readonly home: string;
  /** Writes down the facts for other verbs; whole, each time. */
  readonly publish: (facts: InstanceFacts) => void;
  /** Gives the home free. A killed process needs no `close`: its lock counts for nothing. */
  readonly close: () => void;
}

/**
 * Makes `home` the home of this process.
 *
 * @throws MedicError `MEDIC_INSTANCE_RUNNING` if another living process holds it, `MEDIC_HOME_UNWRITABLE` if it cannot be made or written
 */
export function openInstance({ home }: { home: string }): Instance {
  const folder = resolve(home);
  const lock = writing(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return takeLock(lockFile(folder));
  });
  if (!lock.taken) throw new MedicError('MEDIC_INSTANCE_RUNNING', runningText({ home, ...lock.holder }));
  return {
    home: folder,
    publish: (facts) => writing(folder, () => writeWhole(factsFile(folder), { ...facts, pid: process.pid })),
    close: lock.release,
  };
}

/**
 * The instance that runs on `home`.
 *
 * @throws MedicError `MEDIC_INSTANCE_NOT_RUNNING` if none does, or if it has not come up yet
 */
export function readInstance({ home }: { home: string }): RunningInstance {
  const folder = resolve(home);
  const holder = lockHolder(lockFile(folder));
  if (!holder) throw new MedicError('MEDIC_INSTANCE_NOT_RUNNING', `no Medic runs on ${home}`);
  const facts = readFacts(folder);
  // Facts of another pid were left by an earlier, killed instance.
  if (facts?.pid === holder.pid) return { ...facts, since: holder.since };
  throw new MedicError(
    'MEDIC_INSTANCE_NOT_RUNNING',
    `the Medic on ${home} (pid ${holder.pid}) has not come up yet`,
    'Wait for it and try again.',
  );
}

function runningText({ home, pid, since }: { home: string; pid: number; since: string }): string {
  return `a Medic runs on ${home} already (pid ${pid}, since ${since})`;
}

function readFacts(folder: string): Omit<RunningInstance, 'since'> | undefined {
  try {
    return JSON.parse(readFileSync(factsFile(folder), 'utf8')) as Omit<RunningInstance, 'since'>;
  } catch {
    return undefined;
  }
}

function writeWhole(file: string, value: object): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function writing<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new MedicError('MEDIC_HOME_UNWRITABLE', `cannot write in ${folder} (${code})`);
  }
}

function lockFile(folder: string): string {
  return join(folder, 'lock');
}

function factsFile(folder: string): string {
  return join(folder, 'instance.json');
}
