import {
  affinityGroups,
  cluster,
  clusterStatus,
  gcSafePoint,
  keyspace,
  keyspaces,
  minResolvedTs,
  NO_KEYSPACE_GROUPS,
  NO_MICRO_SERVICES,
  NO_RECOVERY,
  NOT_RECOVERING,
  replicationMode,
  SERVICE_MIDDLEWARE,
} from '../answers/cluster.js';
import { ofCluster, onLeader, type Route, V1, V2 } from '../route.js';

/** The cluster as a whole, read only. */
export const CLUSTER_ROUTES: readonly Route[] = [
  onLeader(`${V1}/cluster`, (view) => cluster(view)),
  onLeader(`${V1}/cluster/status`, (view) => clusterStatus(view)),
  ofCluster(`${V1}/replication_mode/status`, () => replicationMode()),
  ofCluster(`${V1}/min-resolved-ts`, (view, ask) => minResolvedTs(view, ask.query)),
  ofCluster(`${V1}/min-resolved-ts/\\d+`, (view) => minResolvedTs(view, new URLSearchParams())),
  onLeader(`${V1}/gc/safepoint`, () => gcSafePoint()),
  onLeader(`${V1}/service-middleware/config`, () => SERVICE_MIDDLEWARE),
  ofCluster(`${V1}/admin/unsafe/remove-failed-stores/show`, () => NO_RECOVERY),
  onLeader(`${V1}/admin/cluster/markers/snapshot-recovering`, () => NOT_RECOVERING),
  ofCluster(`${V2}/keyspaces`, (view) => keyspaces(view)),
  ofCluster(`${V2}/keyspaces/([^/]+)`, (view, _ask, [name = '']) => keyspace(view, name)),
  ofCluster(`${V2}/affinity-groups`, () => affinityGroups()),
  onLeader(`${V2}/tso/keyspace-groups`, () => NO_KEYSPACE_GROUPS),
  onLeader(`${V2}/ms/members/[^/]+`, () => NO_MICRO_SERVICES),
];
