import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MedicError } from '../../../../src/domain/errors.js';
import type { ProfileName } from '../../profiles.js';
import { packageRoot } from '../assets.js';
import { connectLab, type Lab } from './client.js';
import { labPaths, readLabFile } from './files.js';
import type { NodeScripts } from './start-line.js';

/** What to launch. Only `dir` is needed; the rest is labd's own defaults (`fast`, 3 PDs, 4 stores, 24 regions). */
export interface LaunchOptions {
  readonly dir: string;
  readonly profile?: ProfileName;
  readonly pds?: number;
  readonly stores?: number;
  readonly regions?: number;
  readonly regionMib?: number;
  readonly basePort?: number;
  /** `pipe` (default): the lab ends with this process. `none`: it stays until somebody ends it. */
  readonly leash?: 'pipe' | 'none';
  /** Other programs for the nodes, in tests of labd itself. */
  readonly scripts?: Partial<NodeScripts>;
}

/** A labd on its way. */
export interface LaunchedLab {
  readonly process: ChildProcess;
  /** labd answers and its nodes are started, not yet healthy. Rejects with MedicError: labd's own words, or `MEDIC_LAB_FAILED`. */
  readonly ready: Promise<Lab>;
  /** Ends labd with all its nodes, within about 2 s. Also for one that is not ready yet. */
  stop(): Promise<void>;
}

const READY_MS = 15_000;
const POLL_MS = 25;
const STOP_MS = 5_000;

/** Starts labd as a process of its own. The compiled one is used, also from tests. */
export function launchLab(options: LaunchOptions): LaunchedLab {
  const dir = resolve(options.dir);
  const child = spawnLabd({ ...options, dir });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = becomeReady(dir, child);
  // Whoever only stops a lab need not hear that it failed to come up.
  ready.catch(() => undefined);
  return {
    process: child,
    ready,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(killer);
    },
  };
}

function spawnLabd(options: LaunchOptions): ChildProcess {
  const leash = options.leash ?? 'pipe';
  const { PATH, HOME, TMPDIR } = process.env;
  const stderr = openStderr(options.dir);
  const child = spawn(process.execPath, [labdScript(), ...labdArguments(options)], {
    stdio: [leash === 'pipe' ? 'pipe' : 'ignore', 'ignore', stderr],
    detached: leash === 'none',
    env: { PATH, HOME, TMPDIR, TZ: 'UTC' },
  });
  closeSync(stderr);
  child.stdin?.on('error', () => undefined);
  if (leash === 'none') child.unref();
  return child;
}

function labdArguments({
  dir,
  profile,
  pds,
  stores,
  regions,
  regionMib,
  basePort,
  leash,
  scripts,
}: LaunchOptions): string[] {
  const valued = {
    dir,
    profile,
    pds,
    stores,
    regions,
    'region-mib': regionMib,
    'base-port': basePort,
    'pd-main': scripts?.pd,
    'store-main': scripts?.store,
  };
  const given = Object.entries(valued).filter(([, value]) => value !== undefined);
  return [...given.flatMap(([name, value]) => [`--${name}`, String(value)]), ...(leash === 'none' ? ['--detach'] : [])];
}

function labdScript(): string {
  const root = packageRoot(dirname(fileURLToPath(import.meta.url)));
  const script = join(root, 'dist/subjects/tikv/lab/labd/main.js');
  if (existsSync(script)) return script;
  throw new MedicError('MEDIC_LAB_FAILED', `${script} does not exist`, 'Build first: `npm run build`.');
}

/** A file, not a pipe: labd may outlive this process, and what it says last must not be lost. */
function openStderr(dir: string): number {
  const file = labPaths(dir).stderr;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, 'w', 0o600);
  } catch (error) {
    throw new MedicError('MEDIC_HOME_UNWRITABLE', `${dir} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function becomeReady(dir: string, child: ChildProcess): Promise<Lab> {
  for (let waitedMs = 0; waitedMs < READY_MS; waitedMs += POLL_MS) {
    if (child.exitCode !== null || child.signalCode !== null) throw startFailure(dir, child);
    const lab = await answering(dir, child.pid);
    if (lab !== undefined) return lab;
    await new Promise((later) => setTimeout(later, POLL_MS));
  }
  throw new MedicError('MEDIC_LAB_FAILED', `labd ${child.pid} of ${dir} does not answer after ${READY_MS} ms`);
}

async function answering(dir: string, pid: number | undefined): Promise<Lab | undefined> {
  if (readLabFile(dir)?.labd.pid !== pid) return undefined;
  const lab = connectLab(dir);
  return (await lab.identity()).pid === pid ? lab : undefined;
}

function startFailure(dir: string, { exitCode, signalCode }: ChildProcess): MedicError {
  const said = readFileSync(labPaths(dir).stderr, 'utf8').trim();
  const [, code, message] = /^(MEDIC_\w+) {2}(.*)/.exec(said) ?? [];
  if (code !== undefined) return new MedicError(code as MedicError['code'], message ?? said, '');
  return new MedicError('MEDIC_LAB_FAILED', `labd ended at once (${signalCode ?? exitCode}): ${said.slice(-2_000)}`);
}
