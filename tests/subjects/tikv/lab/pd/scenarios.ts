import type { Moment, RecordedCluster } from './recorded-cluster.js';
import { momentOf, type Recording, type Scenario } from './recordings.js';

/** Where a scenario began: who led, and which stores were there. */
export interface Setup {
  readonly leader: string;
  /** The recorded `/stores` with which it begins; null for none. */
  readonly stores: string | null;
  /** Stores of that answer that had left before. */
  readonly without?: readonly number[];
}

const HEALTHY: Setup = { leader: 'pd1', stores: 'healthy/GET_pd.api.v1.stores' };

/** Every recorded scenario that is asked, with its beginning. */
export const SETUPS: Readonly<Record<Scenario, Setup>> = {
  'not-bootstrapped': { leader: 'pd1', stores: null },
  healthy: HEALTHY,
  'healthy-follower': HEALTHY,
  'store-silent': HEALTHY,
  'pd-leader-killed': { leader: 'pd1', stores: 'pd-leader-killed/GET_pd.api.v1.stores~pd0-before' },
  'store-errors': HEALTHY,
  'store-settings': HEALTHY,
  'store-remove-refused': { ...HEALTHY, without: [4] },
  'store-offline': HEALTHY,
  'store-force-remove': { leader: 'pd1', stores: 'store-force-remove/GET_pd.api.v1.stores~0s' },
  'region-states': HEALTHY,
  'hot-regions': HEALTHY,
  'scheduler-errors': HEALTHY,
  'scheduler-pause': HEALTHY,
  'scheduler-evict-leader': { leader: 'pd1', stores: 'scheduler-evict-leader/GET_pd.api.v1.stores~before' },
  'scheduler-grant-leader': { leader: 'pd1', stores: 'scheduler-evict-leader/GET_pd.api.v1.stores~before' },
  'leader-concentration': { leader: 'pd0', stores: 'leader-concentration/GET_pd.api.v1.stores~before' },
  'store-heartbeats-only-missing': {
    leader: 'pd0',
    stores: 'store-heartbeats-only-missing/GET_pd.api.v1.stores~disconnected',
  },
  'store-join': { leader: 'pd1', stores: 'store-join/GET_pd.api.v1.stores~joined-0s' },
  'store-silent-3-stores': { leader: 'pd0', stores: 'store-silent-3-stores/GET_pd.api.v1.stores~disconnected' },
  'store-slow-and-full': { leader: 'pd0', stores: 'store-slow-and-full/GET_pd.api.v1.stores~reported' },
  'stores-two-of-three-silent': {
    leader: 'pd0',
    stores: 'stores-two-of-three-silent/GET_pd.api.v1.stores~disconnected',
  },
  operators: HEALTHY,
  'config-changes': HEALTHY,
  admin: HEALTHY,
  'pd-member-removed': { leader: 'pd0', stores: 'pd-member-removed/GET_pd.api.v1.stores~after' },
  'pd-members': { leader: 'pd2', stores: 'healthy/GET_pd.api.v1.stores' },
};

export const SCENARIOS = Object.keys(SETUPS) as Scenario[];

const START = 1_796_040_028;
const ALL = ['pd0', 'pd1', 'pd2'];
const MEMBER_DEAD = { leader: 'pd0', running: ['pd0', 'pd2'], knownClusterVersion: '8.5.5' };

/** Who led and who ran when a recording was made. */
export function momentOfCluster(asked: Recording): Moment {
  const { scenario } = asked;
  if (scenario === 'pd-member-removed') return { ...MEMBER_DEAD, startedAt: START };
  if (scenario === 'pd-leader-killed') return momentOfKill(asked);
  if (asked.name.endsWith('~priority-moved')) {
    return { leader: 'pd0', running: ALL, startedAt: START, knownClusterVersion: '0.0.0' };
  }
  const leader = asked.request.role === 'leader' ? asked.request.member : SETUPS[scenario].leader;
  return { leader, running: ALL, startedAt: START, knownClusterVersion: '0.0.0' };
}

function momentOfKill(asked: Recording): Moment {
  const startedAt = 1_796_041_643;
  switch (momentOf(asked).replace(/^pd\d-/, '')) {
    case 'before':
      return { leader: 'pd1', running: ALL, startedAt, knownClusterVersion: '0.0.0' };
    case 'at0.3s':
      return { leader: 'pd1', running: ['pd0', 'pd2'], startedAt, knownClusterVersion: '0.0.0' };
    case 'back':
      return { leader: 'pd0', running: ALL, startedAt: 1_796_041_735, knownClusterVersion: '8.5.5' };
    default:
      return { leader: 'pd0', running: ['pd0', 'pd2'], startedAt, knownClusterVersion: '8.5.5' };
  }
}

/** What the recorded stores did before a request, where a later answer rests on it. */
export const EVENTS: Readonly<Record<string, (cluster: RecordedCluster, asked: Recording) => void>> = {
  'admin/POST_pd.api.v1.admin.unsafe.remove-failed-stores~3': (cluster, asked) => cluster.beat(asked),
  'operators/POST_pd.api.v1.operators~transfer-leader': (cluster) => cluster.lead(11, 4),
  'operators/POST_pd.api.v1.operators~remove-peer': (cluster) => cluster.lead(19, 2),
  'operators/POST_pd.api.v1.operators~remove-peer-leader': (cluster, asked) => cluster.beat(asked),
  // The new peer has its data and votes; the rule checker finds it one too many.
  'operators/GET_pd.api.v1.operators.15~add-peer-done': (cluster, asked) => {
    cluster.beat(asked);
    cluster.gain(15, { peer: { id: 117, storeId: 2, role: 'Voter' }, data: 'whole' });
    cluster.lose(15, 2);
  },
  // The peer is gone; the rule checker finds one missing.
  'operators/GET_pd.api.v1.operators.19~remove-peer': (cluster, asked) => {
    cluster.beat(asked);
    cluster.lose(19, 4);
  },
  // What was asked for with add-learner is there, without its data.
  'operators/POST_pd.api.v1.operators~merge-not-adjacent': (cluster) =>
    cluster.gain(31, { peer: { id: 120, storeId: 2, role: 'Learner' }, data: 'pending' }),
  'store-slow-and-full/GET_pd.api.v1.scheduler-config.evict-slow-store-scheduler.list~evicted': (cluster, asked) =>
    cluster.watchSlowStore(asked),
  'store-slow-and-full/GET_pd.api.v1.scheduler-config.evict-slow-store-scheduler.list~back': (cluster, asked) =>
    cluster.watchSlowStore(asked),
  'store-join/GET_pd.api.v1.store.207~node-state-1': (cluster) => cluster.round(),
  'store-offline/GET_pd.api.v1.store.4~tombstone': (cluster) => cluster.emptied(4),
  'store-force-remove/GET_pd.api.v1.store.3~tombstone': (cluster) => cluster.emptied(3),
};
