import type { Message } from '../raft/messages.js';
import type { NodeId } from '../raft/types.js';
import type { ClientRequest } from './client-protocol.js';

/** "Do I still belong to the region?" From a peer that is in no configuration it knows, or hears no leader. */
export interface MemberQuestion {
  readonly type: 'am-i-member';
  readonly from: NodeId;
  readonly to: NodeId;
}

/** The leader's word to a peer that was removed: nobody needs its vote or its answers any more. */
export interface Dismissal {
  readonly type: 'dismissed';
  readonly from: NodeId;
  readonly to: NodeId;
}

/** What peers of a region say to each other. */
export type PeerMessage = Message | MemberQuestion | Dismissal;

/** One message on its way. */
export interface Letter {
  readonly regionId: number;
  /** Epoch of the configuration that was in force at the sender: a leader writes only to members of it. */
  readonly confVer: number;
  readonly message: PeerMessage;
}

/** Letters of many regions, from one store to another, in one frame. */
export interface RaftFrame {
  readonly kind: 'raft';
  readonly fromStore: number;
  readonly letters: readonly Letter[];
}

/** A store's network inspection; answered at once with the same `seq`. */
export interface PingFrame {
  readonly kind: 'ping';
  readonly seq: number;
}

export interface PongFrame {
  readonly kind: 'pong';
  readonly seq: number;
}

/** Everything that comes in at a store's port. */
export type IncomingFrame = RaftFrame | PingFrame | ClientRequest;

/** Is this JSON a frame for a store? A stranger's is not, and its connection is cut. */
export function isIncomingFrame(message: unknown): message is IncomingFrame {
  if (typeof message !== 'object' || message === null) return false;
  const frame = message as Record<string, unknown>;
  switch (frame.kind) {
    case 'raft':
      return typeof frame.fromStore === 'number' && Array.isArray(frame.letters);
    case 'ping':
      return typeof frame.seq === 'number';
    case 'get':
      return isRequest(frame);
    case 'put':
      return isRequest(frame) && typeof frame.value === 'string';
    default:
      return false;
  }
}

function isRequest({ id, regionId, key }: Record<string, unknown>): boolean {
  return typeof id === 'number' && typeof regionId === 'number' && typeof key === 'string';
}
