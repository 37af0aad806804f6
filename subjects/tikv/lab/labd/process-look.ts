import { readFileSync } from 'node:fs';

/** One process for good: pids are used again, a pid with its start time is not (until the next boot). */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start in kernel ticks since boot (`/proc/<pid>/stat`, field 22). */
  readonly start: string;
}

/** What the kernel says of a process. */
export interface ProcessLook extends ProcessIdentity {
  /** One letter: R, S, D, T (stopped), t (traced), Z (zombie) and so on. */
  readonly state: string;
}

/** Looks at a process; undefined when there is none, or no `/proc` (any system but Linux). */
export function lookAtProcess(pid: number): ProcessLook | undefined {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  // The command name in the second field may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined ? undefined : { pid, state, start };
}

/** Whether exactly this process still runs; a zombie does not. */
export function isAlive({ pid, start }: ProcessIdentity): boolean {
  const look = lookAtProcess(pid);
  return look !== undefined && look.start === start && !['Z', 'X'].includes(look.state);
}

/** Sends a signal to exactly this process. `gone` when it has ended or its pid belongs to another. */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): 'sent' | 'gone' {
  if (!isAlive(target)) return 'gone';
  try {
    process.kill(target.pid, signal);
    return 'sent';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'gone';
    throw error;
  }
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}
