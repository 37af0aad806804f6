import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

const STOP_WITHIN_MS = 5000;

/** A process to run beside others under one parent. */
export interface ChildSpec {
  /** Names it on the screen and in its log. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Default: the parent's. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Where its stdout and stderr are appended; the folder exists. */
  readonly logFile: string;
  /** From TERM to KILL, when it is stopped. Default 5 s. */
  readonly stopWithinMs?: number;
}

/** How a child ended. A command that could not be started has code 127. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** How long it ran, in ms. */
  readonly afterMs: number;
}

/** A child that was started. */
export interface Child {
  /** Leader of its process group; undefined if it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<Ending>;
  readonly isRunning: () => boolean;
  /** TERM to the leader, which ends its own; KILL to the whole group at the deadline. */
  readonly stop: () => Promise<Ending>;
}

/**
 * Starts a process as leader of a group of its own, with a leash: its stdin is a pipe to this process, which writes nothing to it.
 * However this process ends, the pipe closes, and the child ends itself (`dieWithParent`). Whatever of its group outlives the
 * leader is killed.
 */
export function startChild(spec: ChildSpec): Child {
  const startedMs = performance.now();
  const log = openSync(spec.logFile, 'a', 0o600);
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  child.stdin?.on('error', () => undefined);
  const ended = endingOf(child, startedMs);
  return {
    pid: child.pid,
    ended,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    stop: () => stop({ child, ended, withinMs: spec.stopWithinMs ?? STOP_WITHIN_MS }),
  };
}

function endingOf(child: ChildProcess, startedMs: number): Promise<Ending> {
  return new Promise((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      killGroup(child.pid);
      resolve({ code, signal, afterMs: Math.round(performance.now() - startedMs) });
    };
    child.once('error', () => {
      if (child.pid === undefined) end(127, null);
    });
    child.once('exit', end);
  });
}

async function stop({ child, ended, withinMs }: { child: ChildProcess; ended: Promise<Ending>; withinMs: number }) {
  child.kill('SIGTERM');
  const deadline = setTimeout(() => killGroup(child.pid), withinMs);
  const ending = await ended;
  clearTimeout(deadline);
  return ending;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}
