import { goTime } from '../go-format.js';
import { maxReplicas } from '../settings.js';
import type { PdView } from '../view.js';
import { type Answer, json, jsonV2 } from './answer.js';

/** Go's zero time, for a cluster that was never born. */
const NEVER = '0001-01-01T00:00:00Z';

/** `GET /cluster` */
export function cluster({ state }: PdView): Answer {
  return json({ id: BigInt(state.clusterId ?? '0'), max_peer_count: maxReplicas(state) });
}

/** `GET /cluster/status`: initialized once the first region was split or has all its replicas. */
export function clusterStatus(view: PdView): Answer {
  const { bootstrappedAtNs } = view.state;
  return json({
    raft_bootstrap_time: bootstrappedAtNs === null ? NEVER : goTime(BigInt(bootstrappedAtNs)),
    is_initialized: bootstrappedAtNs !== null && isInitialized(view),
    replication_status: '',
  });
}

/** `GET /replication_mode/status` */
export function replicationMode(): Answer {
  return json({ mode: 'majority', 'dr-auto-sync': { label_key: '', state: '', acid_consistent: false } });
}

/** `GET /min-resolved-ts[?scope=cluster]`: 0, as the lab's stores report none. */
export function minResolvedTs({ state }: PdView, query: URLSearchParams): Answer {
  const scope = query.get('scope') ?? '';
  const ids = scope === 'cluster' ? Object.keys(state.stores) : scope.split(',').filter((id) => id !== '');
  return json({
    is_real_time: true,
    min_resolved_ts: 0,
    persist_interval: '1s',
    stores_min_resolved_ts: scope === '' ? null : Object.fromEntries(ids.map((id) => [id, 0])),
  });
}

/** `GET /gc/safepoint`: nobody holds one. */
export function gcSafePoint(): Answer {
  return json({ service_gc_safe_points: [], gc_safe_point: 0 });
}

/** `GET /pd/api/v2/keyspaces`: the one that PD makes by itself. */
export function keyspaces(view: PdView): Answer {
  return jsonV2({ keyspaces: [defaultKeyspace(view)], next_page_token: '' });
}

/** `GET /pd/api/v2/keyspaces/{name}` */
export function keyspace(view: PdView, name: string): Answer {
  return name === 'DEFAULT' ? jsonV2(defaultKeyspace(view)) : jsonV2('keyspace does not exist', 500);
}

/** `GET /pd/api/v2/affinity-groups` */
export function affinityGroups(): Answer {
  return jsonV2({ affinity_groups: {} });
}

/** `GET /service-middleware/config` */
export const SERVICE_MIDDLEWARE = json({
  audit: { 'enable-audit': 'true' },
  'rate-limit': { 'enable-rate-limit': 'true', 'limiter-config': {} },
  'grpc-rate-limit': { 'enable-grpc-rate-limit': 'true', 'grpc-limiter-config': {} },
});

/** `GET /admin/unsafe/remove-failed-stores/show` */
export const NO_RECOVERY = json([{ info: 'No on-going recovery.' }]);

/** `GET /admin/cluster/markers/snapshot-recovering` */
export const NOT_RECOVERING = json({ marked: false });

/** `GET /pd/api/v2/tso/keyspace-groups` of a PD that serves timestamps itself. */
export const NO_KEYSPACE_GROUPS = jsonV2('keyspace group manager is not initialized', 500);

/** `GET /pd/api/v2/ms/members/{service}` of a PD that is one process. */
export const NO_MICRO_SERVICES = jsonV2('not support micro service', 404);

function isInitialized({ regions, state }: PdView): boolean {
  const [first] = regions.all();
  const voters = first?.region.peers.filter(({ role }) => role === 'Voter').length ?? 0;
  return regions.size > 1 || voters >= maxReplicas(state);
}

function defaultKeyspace({ state }: PdView): object {
  const bornAt = Number(BigInt(state.bootstrappedAtNs ?? '0') / 1_000_000_000n);
  return { id: 0, name: 'DEFAULT', state: 'ENABLED', created_at: bornAt, state_changed_at: bornAt };
}
