import type { Message } from '../raft/messages.js';
import type { RegionReport } from './model.js';
import type { LeaderKey } from './state.js';

/** What members say to each other, over one link per direction. Any of it may be lost. */
export type PeerMessage = { readonly from: string } & PeerBody;

export type PeerBody =
  | { readonly kind: 'raft'; readonly message: Message }
  /** To the Raft leader: put this into the log. */
  | { readonly kind: 'leave-lead'; readonly key: LeaderKey }
  /** "Do I still lead?", asked by the Raft leader of everybody, and the answer of those in the same term. */
  | { readonly kind: 'confirm'; readonly round: number; readonly term: number }
  | { readonly kind: 'confirmed'; readonly round: number; readonly term: number }
  /** A follower's linearizable read, and the index to wait for. */
  | { readonly kind: 'read'; readonly id: number }
  | { readonly kind: 'read-at'; readonly id: number; readonly index: number }
  /** To a member that does not know yet that it was taken out of the group. */
  | { readonly kind: 'removed' }
  /** Region reports on their way from PD's leader to the followers. */
  | { readonly kind: 'regions'; readonly reports: readonly RegionReport[] };

const KINDS = ['raft', 'leave-lead', 'confirm', 'confirmed', 'read', 'read-at', 'removed', 'regions'];

/** Is this a message of ours? Only the frame is checked: members trust each other. */
export function isPeerMessage(value: unknown): value is PeerMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { from, kind } = value as { from?: unknown; kind?: unknown };
  return typeof from === 'string' && typeof kind === 'string' && KINDS.includes(kind);
}
