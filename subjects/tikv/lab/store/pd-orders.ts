import type { PeerPlace } from './layout.js';
import type { ChangePeerMessage, IncomingPeer, RegionHeartbeatResponse } from './pd-messages.js';
import type { PeerChange } from './region-change.js';

interface Addressed {
  readonly regionId: number;
  /** The region as PD last saw it. */
  readonly confVer: number;
  readonly version: number;
  /** Peer id of the leader in PD's view. */
  readonly leader: number;
}

/** One step of one of PD's operators, as it comes in on the stream of region heartbeats. */
export type PdOrder =
  /** Any of `targets` will do. */
  | (Addressed & { readonly kind: 'transfer leader'; readonly targets: readonly PeerPlace[] })
  /** One change is made at once, several enter a joint configuration, none leaves it. */
  | (Addressed & { readonly kind: 'change peer'; readonly changes: readonly PeerChange[] });

/** Null for a keep-alive, and for what the lab's regions cannot do (split, merge). */
export function orderIn(message: RegionHeartbeatResponse): PdOrder | null {
  const { region_id, region_epoch, target_peer, transfer_leader, change_peer, change_peer_v2 } = message;
  if (region_epoch === null || target_peer === null) return null;
  const to = {
    regionId: Number(region_id),
    confVer: Number(region_epoch.conf_ver),
    version: Number(region_epoch.version),
    leader: Number(target_peer.id),
  };
  if (change_peer_v2 !== null) return { ...to, kind: 'change peer', changes: change_peer_v2.changes.flatMap(changeIn) };
  if (change_peer !== null) return { ...to, kind: 'change peer', changes: changeIn(change_peer) };
  if (transfer_leader === null) return null;
  const { peer, peers } = transfer_leader;
  const targets = peers.length > 0 ? peers : [peer];
  return { ...to, kind: 'transfer leader', targets: targets.flatMap(placeIn) };
}

const KINDS = { AddNode: 'add-voter', AddLearnerNode: 'add-learner', RemoveNode: 'remove' } as const;

function changeIn({ peer, change_type }: ChangePeerMessage): PeerChange[] {
  return placeIn(peer).map((place) => ({ kind: KINDS[change_type], peer: place }));
}

function placeIn(peer: IncomingPeer | null): PeerPlace[] {
  return peer === null ? [] : [{ id: Number(peer.id), storeId: Number(peer.store_id) }];
}
