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
import {
  forgetRegion,
  NO_METRIC_STORAGE,
  removeFailedStores,
  removeSafePoint,
  resetTimestamp,
  setLogLevel,
} from '../changes/admin.js';
import { changeOfCluster, changeOnLeader, ofCluster, onLeader, type Route, V1, V2 } from '../route.js';

/** The cluster as a whole, read only. */
export const CLUSTER_ROUTES: readonly Route[] = [
  onLeader(`${V1}/cluster`, (view) => cluster(view)),
  onLeader(`${V1}/cluster/status`, (view) => clusterStatus(view)),
  ofCluster(`${V1}/replication_mode/status`, () => replicationMode()),
  ofCluster(`${V1}/min-resolved-ts`, (view, ask) => minResolvedTs(view, ask.query)),
  ofCluster(`${V1}/min-resolved-ts/\\d+`, (view) => minResolvedTs(view, new URLSearchParams())),
  onLeader(`${V1}/gc/safepoint`, () => gcSafePoint()),
  changeOnLeader('DELETE', `${V1}/gc/safepoint/[^/]+`, () => removeSafePoint()),
  onLeader(`${V1}/metric/query`, () => NO_METRIC_STORAGE),
  onLeader(`${V1}/service-middleware/config`, () => SERVICE_MIDDLEWARE),
  ofCluster(`${V1}/admin/unsafe/remove-failed-stores/show`, () => NO_RECOVERY),
  { ...changeOnLeader('POST', `${V1}/admin/log`, (_view, ask) => setLogLevel(ask)), scope: 'own' },
  changeOfCluster('DELETE', `${V1}/admin/cache/region/([^/]+)`, (_view, _ask, [id = '']) => forgetRegion(id)),
  changeOfCluster('POST', `${V1}/admin/unsafe/remove-failed-stores`, (view, ask) => removeFailedStores(view, ask)),
  changeOnLeader('POST', `${V1}/admin/reset-ts`, (view, ask) => resetTimestamp(view, ask)),
  onLeader(`${V1}/admin/cluster/markers/snapshot-recovering`, () => NOT_RECOVERING),
  ofCluster(`${V2}/keyspaces`, (view) => keyspaces(view)),
  ofCluster(`${V2}/keyspaces/([^/]+)`, (view, _ask, [name = '']) => keyspace(view, name)),
  ofCluster(`${V2}/affinity-groups`, () => affinityGroups()),
  onLeader(`${V2}/tso/keyspace-groups`, () => NO_KEYSPACE_GROUPS),
  onLeader(`${V2}/ms/members/[^/]+`, () => NO_MICRO_SERVICES),
];
