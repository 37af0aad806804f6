import { readFileSync } from 'node:fs';

/** Linux counts CPU time for user space in hundredths of a second, on every architecture. */
const MS_PER_TICK = 10;

/** What a process has cost so far. */
export interface ProcessCost {
  /** User and system time of all its threads. */
  readonly cpuMs: number;
  /** Resident set, shared pages counted in full. */
  readonly rssBytes: number;
}

/** Reads the cost of a process from `/proc`. Throws when it does not run. */
export function costOf(pid: number): ProcessCost {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rssKiB = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return { cpuMs: ((fields[11] ?? 0) + (fields[12] ?? 0)) * MS_PER_TICK, rssBytes: rssKiB * 1024 };
}

/** The cost of several processes together. */
export function costOfAll(pids: readonly number[]): ProcessCost {
  const costs = pids.map(costOf);
  return {
    cpuMs: costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    rssBytes: costs.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
  };
}
