import type { Instant } from '../../../src/domain/ids.js';
import { factOf, mapReading, type Reading } from '../../../src/domain/reading.js';
import type { PdLeadership, PdMember } from '../picture.js';
import type { PdMembers } from './pd-schemas.js';

/** Which process led PD, and since when we know it. */
export interface LeaderMemory {
  readonly leader: string;
  /** Start of that process; `null` when it was never told. */
  readonly startedAt: Instant | null;
  readonly seenSince: Instant;
  readonly seenBy: PdLeadership['seenBy'];
  /** PD was seen without a quorum: the next leader, even the same one, begins with an empty memory. */
  readonly lost: boolean;
}

export interface LeaderSeen {
  readonly at: Instant;
  readonly leader: string;
  readonly startedAt: Instant | null;
}

/**
 * A PD leader that is new, was restarted or had lost its leadership has an empty memory: it shows every store as
 * Disconnected and, after a cold start, no region leaders, until the next heartbeats. Medic has to remember for it.
 */
export function rememberLeader(memory: LeaderMemory | null, { at, leader, startedAt }: LeaderSeen): LeaderMemory {
  if (memory === null) return { leader, startedAt, seenSince: at, seenBy: 'first-look', lost: false };
  const restarted = memory.startedAt !== null && startedAt !== null && memory.startedAt !== startedAt;
  if (memory.leader !== leader || restarted || memory.lost)
    return { leader, startedAt, seenSince: at, seenBy: 'change', lost: false };
  return { ...memory, startedAt: startedAt ?? memory.startedAt };
}

/** Turns PD's answers into leadership with a memory. One per process. */
export function createLeaderWatch(): (
  answer: Reading<PdMembers>,
  members: readonly Pick<PdMember, 'name' | 'startedAt' | 'quorum'>[],
) => Reading<PdLeadership> {
  let memory: LeaderMemory | null = null;
  return (answer, members) => {
    const saysNoQuorum = members.some(({ quorum }) => quorum.known && !quorum.value.healthy);
    if (!answer.known && saysNoQuorum && memory) memory = { ...memory, lost: true };
    return mapReading(answer, ({ members: listed, leader, etcd_leader }) => {
      const name = leader?.name ?? null;
      const process = members.find((member) => member.name === name);
      const startedAt = process ? factOf(process.startedAt) : null;
      const at = answer.observedAt;
      if (name !== null) memory = rememberLeader(memory, { at, leader: name, startedAt });
      return {
        leader: name,
        etcdLeader: etcd_leader?.name ?? null,
        members: listed.flatMap((member) => member.name ?? []),
        seenSince: memory?.seenSince ?? at,
        seenBy: memory?.seenBy ?? 'first-look',
      };
    });
  };
}
