import { SCHEDULE_DEFAULTS } from '../config-defaults.js';
import { byType, type Family, type Sample } from '../metrics-text.js';
import type { NodeState, RegionReport, StoreMeta } from '../model.js';
import { regionScore } from '../region-score.js';
import { stateName } from '../stores.js';
import { totalsOf } from '../totals.js';
import type { PdView } from '../view.js';
import { IN_CLASS, MAX_REPLICAS } from './regions.js';
import { runningSchedulers } from './schedulers.js';

/** A store silent for so long is "unhealth" in the metrics only (PD: hard-coded 10 min, 30 times its 20 s). */
const UNHEALTHY_TIMES_DISCONNECTED = 30;
/** Below this share of free space a store counts as low on space (PD: `low-space-ratio` 0.8). */
const LOW_SPACE_FREE_SHARE = 0.2;
const SLOW_SCORE = 80;

/** The families that describe stores, regions, settings and schedulers; a follower has only the region gauges, at 0. */
export function clusterMetrics(view: PdView): Family[] {
  const serves = view.isLeader && view.state.bootstrappedAtNs !== null;
  if (!serves) return [regionsStatus(() => 0), allowance()];
  const stores = Object.values(view.state.stores);
  return [
    regionsStatus((match) => view.regions.all().filter(match).length),
    allowance(),
    {
      name: 'pd_cluster_status',
      type: 'gauge',
      help: 'Status of the cluster.',
      samples: stores.flatMap((store) => clusterStatus(view, store)),
    },
    {
      name: 'pd_scheduler_store_status',
      type: 'gauge',
      help: 'Store status for schedule',
      samples: stores.flatMap((store) => storeStatus(view, store)),
    },
    storeLimits(stores),
    regionHeartbeats(view, stores),
    configStatus(),
    schedulerStatus(view),
    {
      name: 'pd_cluster_health_status',
      type: 'gauge',
      help: 'Status of the cluster.',
      samples: view.members.map(({ name }) => ({ labels: { name }, value: Number(view.reachable.has(name)) })),
    },
  ];
}

function regionsStatus(count: (match: (report: RegionReport) => boolean) => number): Family {
  return byType('pd_regions_status', 'Status of the regions.', {
    'down-peer-region-count': count(IN_CLASS['down-peer']),
    'empty-region-count': count(({ approximateSize }) => approximateSize <= 1),
    'miss-peer-region-count': count(IN_CLASS['miss-peer']),
    'pending-peer-region-count': count(IN_CLASS['pending-peer']),
    'extra-peer-region-count': count(({ region }) => region.peers.length > MAX_REPLICAS),
    'learner-peer-region-count': count(({ region }) => region.peers.some(({ role }) => role === 'Learner')),
  });
}

function allowance(): Family {
  return {
    name: 'pd_scheduling_allowance_status',
    type: 'gauge',
    help: 'Status of the scheduling allowance.',
    samples: [{ labels: { kind: 'halt-scheduling' }, value: 0 }],
  };
}

function clusterStatus(view: PdView, store: StoreMeta): Sample[] {
  const silentNs = view.nowNs - view.heartbeats.lastHeartbeatNs(store);
  const name = stateName(store, view.times, silentNs);
  const stats = view.heartbeats.stats(store.id);
  const totals = totalsOf(view.regions, store.id);
  const unhealthyNs = BigInt(view.times.disconnectedMs * UNHEALTHY_TIMES_DISCONNECTED) * 1_000_000n;
  const lives = (state: NodeState) => Number(store.nodeState === state);
  const values: Record<string, number> = {
    leader_count: totals.leaderCount,
    learner_count: totals.learnerCount,
    region_count: totals.regionCount,
    storage_capacity: stats?.capacity ?? 0,
    storage_size: stats?.usedSize ?? 0,
    store_disconnected_count: Number(name === 'Disconnected'),
    store_down_count: Number(name === 'Down'),
    store_low_space_count: Number(stats !== undefined && stats.available < stats.capacity * LOW_SPACE_FREE_SHARE),
    store_offline_count: Number(name === 'Offline'),
    store_preparing_count: lives('Preparing'),
    store_removed_count: lives('Removed'),
    store_removing_count: lives('Removing'),
    store_serving_count: lives('Serving'),
    store_slow_count: Number((stats?.slowScore ?? 0) >= SLOW_SCORE),
    store_tombstone_count: Number(name === 'Tombstone'),
    store_unhealth_count: Number(store.state === 'Up' && silentNs > unhealthyNs),
    store_up_count: Number(name === 'Up'),
  };
  return Object.entries(values).map(([type, value]) => ({
    labels: { engine: 'tikv', store: String(store.id), type },
    value,
  }));
}

function storeStatus(view: PdView, store: StoreMeta): Sample[] {
  const stats = view.heartbeats.stats(store.id);
  const totals = totalsOf(view.regions, store.id);
  const [capacity, available] = [stats?.capacity ?? 0, stats?.available ?? 0];
  const values: Record<string, number> = {
    leader_count: totals.leaderCount,
    leader_score: totals.leaderCount,
    leader_size: totals.leaderSize,
    learner_count: totals.learnerCount,
    region_count: totals.regionCount,
    region_score: regionScore({ capacity, available, regionSize: totals.regionSize }),
    region_size: totals.regionSize,
    store_available: available,
    store_capacity: capacity,
    store_used: stats?.usedSize ?? 0,
  };
  return Object.entries(values).map(([type, value]) => ({
    labels: { address: store.address, store: String(store.id), type },
    value,
  }));
}

function storeLimits(stores: readonly StoreMeta[]): Family {
  const types = ['add-peer', 'remove-peer'];
  return {
    name: 'pd_cluster_store_limit',
    type: 'gauge',
    help: 'Status of the store limit.',
    samples: stores.flatMap(({ id }) => types.map((type) => ({ labels: { store: String(id), type }, value: 15 }))),
  };
}

function regionHeartbeats(view: PdView, stores: readonly StoreMeta[]): Family {
  return {
    name: 'pd_scheduler_region_heartbeat',
    type: 'counter',
    help: 'Counter of region heartbeat.',
    samples: stores.flatMap(({ id, address }) => {
      const count = view.regionHeartbeats.get(id);
      if (count === undefined) return [];
      const values = { bind: count.bound, ok: count.accepted, recv: count.received };
      return Object.entries(values).map(([status, value]) => ({
        labels: { address, status, store: String(id), type: 'report' },
        value,
      }));
    }),
  };
}

function configStatus(): Family {
  return byType('pd_config_status', 'Status of the scheduling configurations.', {
    'high-space-ratio': SCHEDULE_DEFAULTS['high-space-ratio'],
    'hot-region-schedule-limit': SCHEDULE_DEFAULTS['hot-region-schedule-limit'],
    'leader-schedule-limit': SCHEDULE_DEFAULTS['leader-schedule-limit'],
    'low-space-ratio': SCHEDULE_DEFAULTS['low-space-ratio'],
    'max-merge-region-keys': SCHEDULE_DEFAULTS['max-merge-region-keys'],
    'max-merge-region-size': SCHEDULE_DEFAULTS['max-merge-region-size'],
    'max-pending-peer-count': SCHEDULE_DEFAULTS['max-pending-peer-count'],
    'max-replicas': MAX_REPLICAS,
    'max-snapshot-count': SCHEDULE_DEFAULTS['max-snapshot-count'],
    'merge-schedule-limit': SCHEDULE_DEFAULTS['merge-schedule-limit'],
    'region-schedule-limit': SCHEDULE_DEFAULTS['region-schedule-limit'],
    'replica-schedule-limit': SCHEDULE_DEFAULTS['replica-schedule-limit'],
    'tolerant-size-ratio': SCHEDULE_DEFAULTS['tolerant-size-ratio'],
  });
}

function schedulerStatus(view: PdView): Family {
  return {
    name: 'pd_scheduler_status',
    type: 'gauge',
    help: 'Status of the scheduler.',
    samples: runningSchedulers(view).map((kind) => ({ labels: { kind, type: 'allow' }, value: 1 })),
  };
}
