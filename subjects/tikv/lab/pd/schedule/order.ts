import type { Peer, RegionReport } from '../model.js';
import { type PeerAt, peerOn, type Step } from './step.js';

/** What a region's leader is told. An empty list of `changes` leaves the joint state. */
export type Command =
  | { readonly kind: 'transfer-leader'; readonly peer: Peer; readonly peers: readonly Peer[] }
  | { readonly kind: 'change-peers'; readonly changes: readonly PeerChange[] };

/** raft-rs' names: `AddNode` also promotes a learner, `AddLearnerNode` also demotes a voter. */
export interface PeerChange {
  readonly type: 'AddNode' | 'RemoveNode' | 'AddLearnerNode';
  readonly peer: Peer;
}

/** A command on its way to the store whose peer leads, with the region as PD knew it. */
export interface Order {
  readonly storeId: number;
  readonly regionId: number;
  readonly epoch: RegionReport['region']['epoch'];
  readonly target: Peer;
  readonly command: Command;
}

/** The way back to a store. */
export interface OrderStream {
  /** Nothing happens if the stream is over. */
  tell(order: Order): void;
}

/** The order for a step; null while nobody leads the region, or if the step's peers are gone. */
export function orderFor(step: Step, report: RegionReport): Order | null {
  const { region, leader } = report;
  const command = commandFor(step, report);
  if (leader === null || command === null) return null;
  return { storeId: leader.storeId, regionId: region.id, epoch: region.epoch, target: leader, command };
}

function commandFor(step: Step, report: RegionReport): Command | null {
  switch (step.kind) {
    case 'transfer-leader':
      return transferTo(step, report);
    case 'add-learner':
      return change({ type: 'AddLearnerNode', peer: learner(step) });
    case 'promote-learner':
      return change({ type: 'AddNode', peer: voter(step) });
    case 'enter-joint':
      return change(
        ...step.promote.map((peer) => ({ type: 'AddNode', peer: voter(peer) }) as const),
        ...step.demote.map((peer) => ({ type: 'AddLearnerNode', peer: learner(peer) }) as const),
      );
    case 'leave-joint':
      return change();
    case 'remove-peer': {
      const peer = peerOn(report, step.storeId);
      return peer === undefined ? null : change({ type: 'RemoveNode', peer });
    }
  }
}

function transferTo(
  { to, candidates }: Extract<Step, { kind: 'transfer-leader' }>,
  report: RegionReport,
): Command | null {
  const peer = peerOn(report, to);
  if (peer === undefined) return null;
  const peers = candidates.map((storeId) => peerOn(report, storeId)).filter((each) => each !== undefined);
  return { kind: 'transfer-leader', peer, peers };
}

function change(...changes: readonly PeerChange[]): Command {
  return { kind: 'change-peers', changes };
}

function voter({ peerId, storeId }: PeerAt): Peer {
  return { id: peerId, storeId, role: 'Voter' };
}

function learner({ peerId, storeId }: PeerAt): Peer {
  return { id: peerId, storeId, role: 'Learner' };
}
