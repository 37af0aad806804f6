import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterTimes } from '../../profiles.js';
import type { Group } from './group.js';
import type { TransferOutcome } from './node.js';

export interface TransferOptions {
  readonly group: Group;
  readonly times: Pick<ClusterTimes, 'pdTickMs' | 'pdElectionMs'>;
  /** Null for any other member that is there. */
  readonly to: string | null;
}

/**
 * Moves the Raft leadership; PD's follows it. Looks for the change once per tick, as etcd does, which is why the answer
 * takes one tick (0.5 s in `real`) though the change is sooner.
 */
export async function transferLeadership({ group, times, to }: TransferOptions): Promise<TransferOutcome> {
  const { raft } = group;
  if (to === raft.id && raft.role === 'leader') return 'moved';
  const target = targetOf(group, to);
  if (target === null || !raft.transferLeader(target).ok) return 'no-target';
  group.tick();
  for (let leftMs = 2 * times.pdElectionMs; leftMs > 0; leftMs -= times.pdTickMs) {
    await sleep(times.pdTickMs);
    if (raft.leader === target) return 'moved';
  }
  return 'too-slow';
}

function targetOf({ raft }: Group, to: string | null): string | null {
  const active = [...raft.progress()].filter(([, { recentActive }]) => recentActive).map(([name]) => name);
  if (to !== null) return active.includes(to) ? to : null;
  return active[Math.floor(Math.random() * active.length)] ?? null;
}
