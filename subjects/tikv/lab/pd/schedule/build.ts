import type { Peer, RegionReport } from '../model.js';
import { kindsOf } from './kind.js';
import type { Draft } from './operator.js';
import { isInJointState, type PeerAt, peerOn, type Step } from './step.js';

/** What all drafts name; the rest follows from what is to happen. */
export type Wish = Pick<Draft, 'desc' | 'kinds' | 'report' | 'priority'>;

/** Moves the leadership to a voter on `to`; any of `candidates`, if there are some, will do as well. */
export function transferLeader(
  wish: Wish,
  { to, candidates = [] }: { readonly to: number; readonly candidates?: readonly number[] },
): Draft {
  const from = wish.report.leader?.storeId ?? 0;
  const brief =
    candidates.length === 0
      ? `transfer leader: store ${from} to ${to}`
      : `evict leader: from store ${from} to one in [${candidates.join(' ')}], or to ${to} (for compatibility)`;
  return { ...wish, brief, steps: [{ kind: 'transfer-leader', from, to, candidates }] };
}

/** Adds a peer; a voter comes as a learner first, so that it never counts before it has its data. */
export function addPeer(wish: Wish, peer: PeerAt & { readonly role: 'Voter' | 'Learner' }): Draft {
  const { storeId, peerId, role } = peer;
  const steps: Step[] = [{ kind: 'add-learner', storeId, peerId }];
  if (role === 'Voter') steps.push({ kind: 'promote-learner', storeId, peerId });
  return { ...withRegion(wish), brief: `add peer: store [${storeId}]`, steps };
}

/** Promotes a learner that is there. */
export function promotePeer(wish: Wish, { id, storeId }: Peer): Draft {
  const steps: Step[] = [{ kind: 'promote-learner', storeId, peerId: id }];
  return { ...withRegion(wish), brief: `promote peer: store [${storeId}]`, steps };
}

/** Removes the peer on `from`; the leader moves to `newLeader` before it would be removed. */
export function removePeer(
  wish: Wish,
  { from, newLeader }: { readonly from: number; readonly newLeader: number | null },
): Draft | null {
  const gone = peerOn(wish.report, from);
  const handOver = handOverFrom(wish.report, { from, newLeader });
  if (gone === undefined || handOver === null) return null;
  return {
    ...withRegion(wish, handOver),
    brief: `rm peer: store [${from}]`,
    steps: [...handOver, { kind: 'remove-peer', storeId: from, peerId: gone.id }],
  };
}

export interface Move {
  readonly from: number;
  readonly to: PeerAt;
  /** Who leads instead of a leader that moves; null if none can. */
  readonly newLeader: number | null;
  /** `off`: two plain changes instead of a joint one (PD: `enable-joint-consensus`). */
  readonly joint: 'on' | 'off';
}

/** Replaces the peer on `from` by a new one, or by a learner that is there; null if it leads and has no heir. */
export function movePeer(wish: Wish, { from, to, newLeader, joint }: Move): Draft | null {
  const old = peerOn(wish.report, from);
  const handOver = handOverFrom(wish.report, { from, newLeader });
  if (old === undefined || handOver === null) return null;
  const gone = { storeId: from, peerId: old.id };
  const isThere = peerOn(wish.report, to.storeId)?.id === to.peerId;
  const roles = { promote: [to], demote: [gone] };
  const exchange: Step[] =
    joint === 'on'
      ? [...handOver, { kind: 'enter-joint', ...roles }, { kind: 'leave-joint', ...roles }]
      : [{ kind: 'promote-learner', ...to }, ...handOver];
  return {
    ...withRegion(wish, handOver),
    brief: `mv peer: store [${from}] to [${to.storeId}]`,
    steps: [
      ...(isThere ? [] : [{ kind: 'add-learner', ...to } as const]),
      ...(old.role === 'Learner' ? [] : exchange),
      { kind: 'remove-peer', ...gone },
    ],
  };
}

/** Leaves a joint state that an operator which is gone left behind; a leader that is to be demoted hands over first. */
export function leaveJoint(wish: Wish, newLeader: number | null): Draft | null {
  const { report } = wish;
  if (!isInJointState(report)) return null;
  const withRole = (role: Peer['role']) =>
    report.region.peers.filter((peer) => peer.role === role).map(({ id, storeId }) => ({ storeId, peerId: id }));
  const roles = { promote: withRole('IncomingVoter'), demote: withRole('DemotingVoter') };
  const from = roles.demote.find(({ storeId }) => storeId === report.leader?.storeId)?.storeId ?? 0;
  const handOver = handOverFrom(report, { from, newLeader });
  if (handOver === null) return null;
  return {
    ...withRegion(wish, handOver),
    brief: 'leave joint state',
    steps: [...handOver, { kind: 'leave-joint', ...roles }],
  };
}

/** No step unless the leader sits on `from`; null if it does and has no heir. */
function handOverFrom(
  { leader }: RegionReport,
  { from, newLeader }: { readonly from: number; readonly newLeader: number | null },
): Step[] | null {
  if (leader?.storeId !== from) return [];
  return newLeader === null ? null : [{ kind: 'transfer-leader', from, to: newLeader, candidates: [] }];
}

function withRegion(wish: Wish, handOver: readonly Step[] = []): Wish {
  const moved = handOver.length === 0 ? [] : (['leader'] as const);
  return { ...wish, kinds: kindsOf([...wish.kinds, 'region', ...moved]) };
}
