import { readdirSync, readFileSync } from 'node:fs';

/**
 * Stops processes with all that they started (SIGSTOP), from the parents down, until none is left that runs. Returns what lets
 * them go on, children first. Reads /proc, so Linux only.
 */
export function freeze(roots: readonly number[]): () => void {
  const stopped: number[] = [];
  for (;;) {
    const fresh = withDescendants(roots).filter((pid) => !stopped.includes(pid));
    if (fresh.length === 0) return () => thaw(stopped);
    for (const pid of fresh) {
      signal(pid, 'SIGSTOP');
      stopped.push(pid);
    }
  }
}

/** The children of a process, by pid. */
export const childrenOf = (parent: number): number[] =>
  [...parents()].flatMap(([pid, ppid]) => (ppid === parent ? [pid] : []));

function thaw(pids: readonly number[]): void {
  for (const pid of [...pids].reverse()) signal(pid, 'SIGCONT');
}

function withDescendants(roots: readonly number[]): number[] {
  const all = [...parents()];
  const found = [...roots];
  for (const pid of found) found.push(...all.flatMap(([child, parent]) => (parent === pid ? [child] : [])));
  return found;
}

/** pid -> its parent's. */
function parents(): Map<number, number> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.flatMap((pid) => parentOf(pid)));
}

function parentOf(pid: string): [number, number][] {
  try {
    // After `pid (name) ` come state and parent; the name may hold blanks and brackets.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [[Number(pid), Number(parent)]];
  } catch {
    return [];
  }
}

/** One that ended meanwhile needs none. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
