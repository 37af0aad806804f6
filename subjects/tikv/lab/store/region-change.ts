import { roleIn } from '../raft/membership.js';
import type { ChangeStep, Entry, Membership, MembershipChange } from '../raft/types.js';
import type { PeerMeta, PeerPlace, PeerRole, RegionMeta } from './layout.js';

/** One wish of PD: `add-voter` also promotes a learner, `add-learner` also demotes a voter. */
export interface PeerChange {
  readonly kind: ChangeStep['kind'];
  readonly peer: PeerPlace;
}

/** What to put into the region's log, or why not. */
export type ChangePlan =
  | { readonly ok: true; readonly change: MembershipChange }
  | { readonly ok: false; readonly why: string };

export interface ChangeQuestion {
  readonly meta: RegionMeta;
  /** Peer id of the leader, who is asked. */
  readonly leader: number;
  /** One is made at once, several enter a joint configuration, none leaves it. */
  readonly changes: readonly PeerChange[];
}

/**
 * What TiKV would make of PD's changes before Raft has a say (TiKV: `check_conf_change`): a leader neither removes nor
 * at once demotes itself, a voter leaves a joint configuration as a learner only, and a store holds one peer of a region. A
 * joint configuration is for voters that change.
 */
export function planChange({ meta, leader, changes }: ChangeQuestion): ChangePlan {
  const why = refusal({ meta, leader, changes });
  if (why !== undefined) return { ok: false, why };
  const added = changes.filter(({ kind, peer }) => kind !== 'remove' && peerOf(meta, peer.id) === undefined);
  const steps = changes.map(({ kind, peer }): ChangeStep => ({ kind, id: String(peer.id) }));
  return { ok: true, change: { steps, data: added.length > 0 ? encodePlaces(added.map(({ peer }) => peer)) : '' } };
}

/**
 * The region once a change is applied. Roles are what Raft's configuration says; a change counts one in the epoch for
 * each peer that it moves, also when the joint configuration is left.
 *
 * @param membership - in force after `entry`
 */
export function changedRegion(meta: RegionMeta, entry: Entry, membership: Membership): RegionMeta {
  const places: PeerPlace[] = [...meta.peers, ...(entry.data === '' ? [] : decodePlaces(entry.data))];
  const moved = entry.change?.length || meta.peers.filter(isJoint).length;
  const peers = places.flatMap(({ id, storeId }): PeerMeta[] => {
    const role = roleOf(id, membership);
    return role === null ? [] : [{ id, storeId, role }];
  });
  return { ...meta, confVer: meta.confVer + moved, peers };
}

function refusal({ meta, leader, changes }: ChangeQuestion): string | undefined {
  if (changes.length === 0) {
    const self = peerOf(meta, leader);
    return self?.role === 'DemotingVoter' ? 'ignore leave joint command that demoting leader' : undefined;
  }
  const isEntering = changes.length > 1;
  if (new Set(changes.map(({ peer }) => peer.storeId)).size < changes.length) return 'multiple changes of one store';
  if (isEntering && !changes.some((change) => movesVoter(meta, change))) return 'no voter would change';
  for (const { kind, peer } of changes) {
    const known = peerOf(meta, peer.id);
    const onStore = meta.peers.find(({ storeId }) => storeId === peer.storeId);
    const isLeader = peer.id === leader;
    if (kind === 'remove' && isLeader) return 'ignore remove leader';
    if (kind === 'add-learner' && isLeader && !isEntering) return 'ignore demote leader';
    if (kind === 'remove' && isEntering && known?.role === 'Voter') return 'can not remove voter directly';
    if (kind !== 'remove' && onStore !== undefined && onStore.id !== peer.id) return 'store has a peer already';
    if (kind !== 'remove' && known !== undefined && known.storeId !== peer.storeId) return 'peer is on another store';
  }
  return undefined;
}

/** Without one a joint configuration would differ in nothing from what it leads to; PD asks for none. */
function movesVoter(meta: RegionMeta, { kind, peer }: PeerChange): boolean {
  const isVoter = peerOf(meta, peer.id)?.role === 'Voter';
  return kind === 'add-voter' ? !isVoter : kind === 'add-learner' && isVoter;
}

const ROLES = {
  voter: 'Voter',
  'incoming-voter': 'IncomingVoter',
  'demoting-voter': 'DemotingVoter',
  learner: 'Learner',
} as const;

function roleOf(id: number, membership: Membership): PeerRole | null {
  const role = roleIn(membership, String(id));
  if (role === 'leaving-voter') throw new Error(`peer ${id} would leave without having been demoted`);
  return role === null ? null : ROLES[role];
}

function isJoint({ role }: PeerMeta): boolean {
  return role === 'IncomingVoter' || role === 'DemotingVoter';
}

function peerOf({ peers }: RegionMeta, id: number): PeerMeta | undefined {
  return peers.find((peer) => peer.id === id);
}

function encodePlaces(places: readonly PeerPlace[]): string {
  return JSON.stringify(places.map(({ id, storeId }) => [id, storeId]));
}

function decodePlaces(data: string): PeerPlace[] {
  return (JSON.parse(data) as [number, number][]).map(([id, storeId]) => ({ id, storeId }));
}
