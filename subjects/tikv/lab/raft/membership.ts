import type { ChangeRefusal } from './member.js';
import type { ChangeStep, Membership, NodeId } from './types.js';

/** The configuration after a change, or why there is none. */
export type ChangeOutcome = { ok: true; membership: Membership } | { ok: false; reason: ChangeRefusal };

/**
 * What a member is, in TiKV's words. `leaving-voter`: votes in the old half only and is removed when the joint
 * configuration is left. `null`: not a member.
 */
export type MemberRole = 'voter' | 'learner' | 'incoming-voter' | 'demoting-voter' | 'leaving-voter' | null;

const STANDING = { 'add-voter': 'voter', 'add-learner': 'learner', remove: null } as const;

/** What `steps` make of a configuration (raft-rs: `Changer`). No steps: leave the joint configuration. */
export function changeMembership(membership: Membership, steps: readonly ChangeStep[]): ChangeOutcome {
  if (steps.length === 0) return leave(membership);
  if (isJoint(membership)) return { ok: false, reason: 'joint' };
  if (new Set(steps.map(({ id }) => id)).size < steps.length) return { ok: false, reason: 'repeated-member' };
  if (steps.some(({ kind, id }) => roleIn(membership, id) === STANDING[kind]))
    return { ok: false, reason: 'no-effect' };
  const start = steps.length > 1 ? { ...membership, outgoing: membership.voters } : membership;
  const changed = steps.reduce(withStep, start);
  return changed.voters.length > 0 ? { ok: true, membership: changed } : { ok: false, reason: 'no-voter-left' };
}

export function isJoint({ outgoing }: Membership): boolean {
  return outgoing !== undefined;
}

/** What `id` is in this configuration. */
export function roleIn({ voters, outgoing, learners, learnersNext }: Membership, id: NodeId): MemberRole {
  if (voters.includes(id)) return outgoing && !outgoing.includes(id) ? 'incoming-voter' : 'voter';
  if (learnersNext?.includes(id)) return 'demoting-voter';
  if (outgoing?.includes(id)) return 'leaving-voter';
  return learners?.includes(id) ? 'learner' : null;
}

/** Everybody who gets the log. */
export function membersOf({ voters, outgoing = [], learners = [] }: Membership): NodeId[] {
  return [...new Set([...voters, ...outgoing, ...learners])];
}

/** The configuration alone, of a snapshot for example. */
export function membershipOf({ voters, learners = [], outgoing = [], learnersNext = [] }: Membership): Membership {
  return {
    voters: [...voters],
    ...(learners.length > 0 && { learners: [...learners] }),
    ...(outgoing.length > 0 && { outgoing: [...outgoing] }),
    ...(learnersNext.length > 0 && { learnersNext: [...learnersNext] }),
  };
}

function leave({ voters, outgoing, learners = [], learnersNext = [] }: Membership): ChangeOutcome {
  if (!outgoing) return { ok: false, reason: 'not-joint' };
  return { ok: true, membership: membershipOf({ voters, learners: [...learners, ...learnersNext] }) };
}

/** A voter that is demoted keeps its vote in the old half, so it becomes a learner only when that half is gone. */
function withStep({ voters, outgoing, learners, learnersNext }: Membership, { kind, id }: ChangeStep): Membership {
  const next = {
    voters: without(voters, id),
    learners: without(learners, id),
    learnersNext: without(learnersNext, id),
  };
  if (kind === 'add-voter') next.voters.push(id);
  if (kind === 'add-learner') (outgoing?.includes(id) ? next.learnersNext : next.learners).push(id);
  return membershipOf({ ...next, outgoing });
}

function without(ids: readonly NodeId[] = [], id: NodeId): NodeId[] {
  return ids.filter((other) => other !== id);
}
