import type { PeerProgress } from '../raft/member.js';
import type { PeerMeta, RegionMeta } from './layout.js';

/** What a region leader knows about its followers. */
export interface PeerHealthQuestion {
  readonly region: RegionMeta;
  /** The leader's own peer, left out of the answer. */
  readonly selfPeerId: number;
  /** By peer id. */
  readonly progress: ReadonlyMap<string, Pick<PeerProgress, 'match'>>;
  /** Index up to which the leader's log is truncated. */
  readonly truncatedIndex: number;
  /** Ms since the peer last said anything to this leader, by peer id. */
  readonly silentMs: (peerId: number) => number;
  readonly peerDownMs: number;
}

/** A peer that a region leader reports as down, and for how long. */
export interface DownPeer {
  readonly peer: PeerMeta;
  readonly downSeconds: number;
}

export interface PeerHealth {
  readonly pending: readonly PeerMeta[];
  readonly down: readonly DownPeer[];
}

/**
 * Which peers a region leader reports to PD as pending and down.
 *
 * Pending is a peer that is known to hold less than the leader's log still could give it (TiKV: `matched` below the
 * truncated index). A *new* leader knows nothing, so a dead peer becomes pending with each election, and stays healthy
 * in the report of a leader that has not changed: PD counts one pending peer per lost leader, not per lost replica.
 */
export function peerHealth(question: PeerHealthQuestion): PeerHealth {
  const { region, selfPeerId, progress, truncatedIndex, silentMs, peerDownMs } = question;
  const others = region.peers.filter((peer) => peer.id !== selfPeerId);
  const isPending = (peer: PeerMeta) => (progress.get(String(peer.id))?.match ?? 0) < truncatedIndex;
  const down = others
    .map((peer) => ({ peer, silent: silentMs(peer.id) }))
    .filter(({ silent }) => silent >= peerDownMs)
    .map(({ peer, silent }) => ({ peer, downSeconds: Math.floor(silent / 1000) }));
  return { pending: others.filter(isPending), down };
}
