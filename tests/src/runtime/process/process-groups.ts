import { readdirSync, readFileSync } from 'node:fs';
import { until } from '../../../support/until.js';

/** Living processes of the given process groups, as `pid command`; zombies are dead. Reads /proc. */
export function membersOf(groups: readonly number[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = read(`/proc/${pid}/stat`);
      const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isMember = state !== 'Z' && groups.includes(Number(group));
      return isMember ? [`${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 120)}`] : [];
    });
}

/** Waits until nothing lives in the process groups, and says how many ms that took. */
export async function untilEmpty(groups: readonly number[], { deadlineMs }: { deadlineMs: number }): Promise<number> {
  const startedMs = performance.now();
  const seen = () => membersOf(groups);
  await until('the process groups are empty', () => (seen().length === 0 ? true : undefined), { deadlineMs, seen });
  return Math.round(performance.now() - startedMs);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
