import type { Peer, PeerRole, RegionReport } from '../model.js';

/** A peer by its place. */
export interface PeerAt {
  readonly storeId: number;
  readonly peerId: number;
}

/** Who changes roles in one joint step. */
interface Joint {
  readonly promote: readonly PeerAt[];
  readonly demote: readonly PeerAt[];
}

/** One thing that PD asks of a region's leader (PD: `operator.OpStep`). */
export type Step =
  /** `candidates`: if there are any, one of these will do as well. */
  | {
      readonly kind: 'transfer-leader';
      readonly from: number;
      readonly to: number;
      readonly candidates: readonly number[];
    }
  | ({ readonly kind: 'add-learner' } & PeerAt)
  | ({ readonly kind: 'promote-learner' } & PeerAt)
  | ({ readonly kind: 'enter-joint' } & Joint)
  | ({ readonly kind: 'leave-joint' } & Joint)
  | ({ readonly kind: 'remove-peer' } & PeerAt);

/** Everyone whose role changes. */
export const changedIn = ({ promote, demote }: Joint): readonly PeerAt[] => [...promote, ...demote];

/** Does the region look as it should after the step? A peer that still lacks data does not count. */
export function isFinished(step: Step, report: RegionReport): boolean {
  switch (step.kind) {
    case 'transfer-leader':
      return report.leader !== null && [step.to, ...step.candidates].includes(report.leader.storeId);
    case 'add-learner':
      return is(report, step, ['Learner']) && !isPending(report, step);
    case 'promote-learner':
      return is(report, step, ['Voter']) && !isPending(report, step);
    case 'enter-joint':
      return hasEntered(step, report) && !step.promote.some((peer) => isPending(report, peer));
    case 'leave-joint':
      return hasLeft(step, report) && !isInJointState(report) && !step.promote.some((peer) => isPending(report, peer));
    case 'remove-peer':
      return peerOn(report, step.storeId) === undefined;
  }
}

/** By how much the step, as far as it went, explains that the region's `conf_ver` grew. */
export function confVerGrowth(step: Step, report: RegionReport): number {
  switch (step.kind) {
    case 'transfer-leader':
      return 0;
    case 'add-learner':
      return Number(peerOn(report, step.storeId)?.id === step.peerId);
    case 'promote-learner':
      return Number(is(report, step, ['Voter', 'IncomingVoter', 'DemotingVoter']));
    case 'enter-joint':
      return hasEntered(step, report) ? changedIn(step).length : 0;
    case 'leave-joint':
      return hasLeft(step, report) ? changedIn(step).length : 0;
    case 'remove-peer':
      return Number(peerOn(report, step.storeId)?.id !== step.peerId);
  }
}

/** Why the step cannot be done any more in this region, null if it can (PD: `CheckInProgress`). */
export function stepFault(step: Step, report: RegionReport): string | null {
  switch (step.kind) {
    case 'transfer-leader':
      return isVoterOn(report, step.to) ? null : 'peer does not exist or is a learner';
    case 'add-learner': {
      const there = peerOn(report, step.storeId);
      if (there === undefined) return null;
      if (there.id !== step.peerId) return `peer ${there.id} is already in store ${step.storeId}`;
      return there.role === 'Learner' ? null : 'peer already is a voter';
    }
    case 'promote-learner':
      return isThere(report, step) ? null : 'peer does not exist';
    case 'enter-joint':
    case 'leave-joint':
      if (step.demote.some(({ storeId }) => storeId === report.leader?.storeId)) return 'cannot demote leader peer';
      return changedIn(step).every((peer) => isThere(report, peer)) ? null : 'peer does not exist';
    case 'remove-peer':
      return report.leader?.storeId === step.storeId ? 'cannot remove leader peer' : null;
  }
}

/** Stores that must be able to take what the step brings. */
export function targetsOf(step: Step): readonly number[] {
  switch (step.kind) {
    case 'transfer-leader':
    case 'remove-peer':
      return step.kind === 'transfer-leader' ? [step.to] : [];
    case 'add-learner':
    case 'promote-learner':
      return [step.storeId];
    case 'enter-joint':
    case 'leave-joint':
      return step.promote.map(({ storeId }) => storeId);
  }
}

export function peerOn({ region }: RegionReport, storeId: number): Peer | undefined {
  return region.peers.find((peer) => peer.storeId === storeId);
}

export function isVoterOn(report: RegionReport, storeId: number): boolean {
  const role = peerOn(report, storeId)?.role;
  return role !== undefined && role !== 'Learner';
}

export function isInJointState({ region }: RegionReport): boolean {
  return region.peers.some(({ role }) => role === 'IncomingVoter' || role === 'DemotingVoter');
}

function hasEntered({ promote, demote }: Joint, report: RegionReport): boolean {
  return (
    promote.every((peer) => is(report, peer, ['Voter', 'IncomingVoter'])) &&
    demote.every((peer) => is(report, peer, ['Learner', 'DemotingVoter']))
  );
}

function hasLeft({ promote, demote }: Joint, report: RegionReport): boolean {
  return promote.every((peer) => is(report, peer, ['Voter'])) && demote.every((peer) => is(report, peer, ['Learner']));
}

function is(report: RegionReport, { storeId, peerId }: PeerAt, roles: readonly PeerRole[]): boolean {
  const there = peerOn(report, storeId);
  return there?.id === peerId && roles.includes(there.role);
}

function isThere(report: RegionReport, { storeId, peerId }: PeerAt): boolean {
  return peerOn(report, storeId)?.id === peerId;
}

function isPending({ pendingPeers }: RegionReport, { peerId }: PeerAt): boolean {
  return pendingPeers.some(({ id }) => id === peerId);
}
