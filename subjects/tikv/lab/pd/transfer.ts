import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterTimes } from '../../profiles.js';
import type { Group } from './group.js';
import type { TransferOutcome } from './node.js';
import type { PdState } from './state.js';

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

/** The other members that Raft hears of, to which its leadership could go. */
export function activeMembers({ raft }: Pick<Group, 'raft'>): string[] {
  return [...raft.progress()].filter(([, { recentActive }]) => recentActive).map(([name]) => name);
}

export interface PriorityQuestion {
  readonly priorities: PdState['priorities'];
  readonly leader: string;
  /** Members that could take over. */
  readonly others: readonly string[];
}

/**
 * The member that should lead instead, null if none should: of those that are there, the one with the highest priority if
 * that is above the leader's own (PD: `member.CheckPriority`).
 */
export function preferredLeader({ priorities, leader, others }: PriorityQuestion): string | null {
  const priorityOf = (name: string) => priorities[name] ?? 0;
  const [best] = others.filter((name) => name !== leader).toSorted((a, b) => priorityOf(b) - priorityOf(a));
  return best !== undefined && priorityOf(best) > priorityOf(leader) ? best : null;
}

function targetOf(group: Group, to: string | null): string | null {
  const active = activeMembers(group);
  if (to !== null) return active.includes(to) ? to : null;
  return active[Math.floor(Math.random() * active.length)] ?? null;
}
