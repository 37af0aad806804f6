import type { PeerProgress } from '../raft/member.js';
import type { RegionPeer } from './region-peer.js';

/** `GET /region/{id}`: the local peer as TiKV shows it. */
export function regionAnswer({ meta, peerId, node }: RegionPeer): object {
  const leader = node.leader === null ? 0 : Number(node.leader);
  return {
    group_state: 'Ordered',
    raft_status: {
      id: peerId,
      hard_state: { term: node.term, commit: node.commitIndex },
      soft_state: { leader_id: leader, raft_state: RAFT_STATES[node.role] },
      applied: node.appliedIndex,
      ...progressOf({ meta, peerId, node }),
      last_index: node.lastIndex,
    },
    raft_apply: {
      applied_index: node.appliedIndex,
      commit_index: node.commitIndex,
      truncated_state: { index: node.truncatedIndex },
    },
    region_state: {
      id: meta.id,
      start_key: [...Buffer.from(meta.startKey)],
      end_key: [...Buffer.from(meta.endKey)],
      epoch: { conf_ver: meta.confVer, version: meta.version },
      peers: meta.peers.map(({ id, storeId, role }) => ({ id, store_id: storeId, role, is_witness: false })),
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
function progressOf({ meta, peerId, node }: Pick<RegionPeer, 'meta' | 'peerId' | 'node'>): object {
  const { lastIndex } = node;
  const progress = node.progress();
  if (progress.size === 0) return { voters: {}, learners: {} };
  const own = { matched: lastIndex, next_idx: lastIndex + 1, state: 'Replicate', recent_active: true };
  const all = [[String(peerId), own] as const, ...[...progress].map(([id, peer]) => [id, shown(peer)] as const)];
  const learners = new Set(meta.peers.filter(({ role }) => role === 'Learner').map(({ id }) => String(id)));
  return {
    voters: Object.fromEntries(all.filter(([id]) => !learners.has(id))),
    learners: Object.fromEntries(all.filter(([id]) => learners.has(id))),
  };
}

function shown({ match, next, state, recentActive }: PeerProgress): object {
  return { matched: match, next_idx: next, state: REPLICATION_STATES[state], recent_active: recentActive };
}
