import type { PeerProgress } from '../raft/types.js';
import type { PeerMeta } from './layout.js';
import type { RegionPeer } from './region-peer.js';

/** `GET /region/{id}`: the local peer as TiKV shows it. */
export function regionAnswer({ meta, self, node }: RegionPeer): object {
  const leader = node.leader === null ? 0 : Number(node.leader);
  return {
    group_state: 'Ordered',
    raft_status: {
      id: self.id,
      hard_state: { term: node.term, commit: node.commitIndex },
      soft_state: { leader_id: leader, raft_state: RAFT_STATES[node.role] },
      applied: node.appliedIndex,
      voters: votersOf(self, node.lastIndex, node.progress()),
      learners: {},
      last_index: node.lastIndex,
    },
    raft_apply: {
      applied_index: node.appliedIndex,
      commit_index: node.commitIndex,
      truncated_state: { index: node.snapshotIndex },
    },
    region_state: {
      id: meta.id,
      start_key: [...Buffer.from(meta.startKey)],
      end_key: [...Buffer.from(meta.endKey)],
      epoch: { conf_ver: meta.confVer, version: meta.version },
      peers: meta.peers.map(({ id, storeId }) => ({ id, store_id: storeId, role: 'Voter', is_witness: false })),
      merge_state: null,
      tablet_index: 0,
    },
    bucket_keys: [],
  };
}

const RAFT_STATES = {
  follower: 'Follower',
  'pre-candidate': 'PreCandidate',
  candidate: 'Candidate',
  leader: 'Leader',
} as const;

const REPLICATION_STATES = { probe: 'Probe', replicate: 'Replicate', snapshot: 'Snapshot' } as const;

/** Empty on a follower, as TiKV's is. */
function votersOf(self: PeerMeta, lastIndex: number, progress: ReadonlyMap<string, PeerProgress>): object {
  if (progress.size === 0) return {};
  const others = [...progress].map(([id, peer]) => [
    id,
    {
      matched: peer.match,
      next_idx: peer.next,
      state: REPLICATION_STATES[peer.state],
      recent_active: peer.recentActive,
    },
  ]);
  const own = { matched: lastIndex, next_idx: lastIndex + 1, state: 'Replicate', recent_active: true };
  return { [self.id]: own, ...Object.fromEntries(others) };
}
