import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that got the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks after boot, from /proc; empty where there is no /proc, then the pid alone decides. */
  readonly startTime: string;
}

/** The identity of a living process (default: this one); undefined if there is none with that pid. */
export function identityOf(pid: number = process.pid): ProcessIdentity | undefined {
  return signalReaches(pid) ? { pid, startTime: startTimeOf(pid) } : undefined;
}

/** Does exactly this process still live? A zombie, which waits for its parent to notice, counts as dead. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return signalReaches(pid) && startTimeOf(pid) === startTime && stateOf(pid) !== 'Z';
}

function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startTimeOf(pid: number): string {
  return statOf(pid)[19] ?? '';
}

function stateOf(pid: number): string {
  return statOf(pid)[0] ?? '';
}

/** The fields of /proc/PID/stat from the third on; the second is the name in parentheses and may hold spaces. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
