import { byType, type Family, type Sample } from '../metrics-text.js';
import type { NodeState, StoreMeta } from '../model.js';
import { regionScore } from '../region-score.js';
import { maxReplicas, settingsOf, silenceOf } from '../settings.js';
import { stateName } from '../stores.js';
import { totalsOf } from '../totals.js';
import type { PdView } from '../view.js';
import { type CheckClass, IN_CLASS } from './region-checks.js';
import { runningSchedulers } from './schedulers.js';
import { limitsOf } from './store-limits.js';

/** A store silent for so long is "unhealth" in the metrics only (PD: hard-coded 10 min, 30 times its 20 s). */
const UNHEALTHY_TIMES_DISCONNECTED = 30;
/** Below this share of free space a store counts as low on space (PD: `low-space-ratio` 0.8). */
const LOW_SPACE_FREE_SHARE = 0.2;
const SLOW_SCORE = 80;

/** The families that describe stores, regions, settings and schedulers; a follower has only the region gauges, at 0. */
export function clusterMetrics(view: PdView): Family[] {
  const serves = view.isLeader && view.state.bootstrappedAtNs !== null;
  if (!serves) return [regionsStatus(() => 0), allowance(view)];
  const stores = Object.values(view.state.stores);
  return [
    regionsStatus((name) => view.regions.all().filter((report) => IN_CLASS[name](report, view.state)).length),
    allowance(view),
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
    storeLimits(view),
    regionHeartbeats(view, stores),
    configStatus(view),
    schedulerStatus(view),
    {
      name: 'pd_cluster_health_status',
      type: 'gauge',
      help: 'Status of the cluster.',
      samples: view.members.map(({ name }) => ({ labels: { name }, value: Number(view.reachable.has(name)) })),
    },
  ];
}

function regionsStatus(count: (name: CheckClass) => number): Family {
  return byType('pd_regions_status', 'Status of the regions.', {
    'down-peer-region-count': count('down-peer'),
    'empty-region-count': count('empty-region'),
    'miss-peer-region-count': count('miss-peer'),
    'pending-peer-region-count': count('pending-peer'),
    'extra-peer-region-count': count('extra-peer'),
    'learner-peer-region-count': count('learner-peer'),
  });
}

function allowance(view: PdView): Family {
  return {
    name: 'pd_scheduling_allowance_status',
    type: 'gauge',
    help: 'Status of the scheduling allowance.',
    samples: [
      {
        labels: { kind: 'halt-scheduling' },
        value: Number(settingsOf(view, 'schedule')['halt-scheduling'] === 'true'),
      },
    ],
  };
}

function clusterStatus(view: PdView, store: StoreMeta): Sample[] {
  const silentNs = view.nowNs - view.heartbeats.lastHeartbeatNs(store);
  const name = stateName(store, silenceOf(view), silentNs);
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

function storeLimits(view: PdView): Family {
  return {
    name: 'pd_cluster_store_limit',
    type: 'gauge',
    help: 'Status of the store limit.',
    samples: Object.entries(limitsOf(view)).flatMap(([store, limit]) =>
      Object.entries(limit).map(([type, value]) => ({ labels: { store, type }, value })),
    ),
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

/** The settings that PD shows as numbers. */
const SHOWN_SETTINGS = [
  'high-space-ratio',
  'hot-region-schedule-limit',
  'leader-schedule-limit',
  'low-space-ratio',
  'max-merge-region-keys',
  'max-merge-region-size',
  'max-pending-peer-count',
  'max-snapshot-count',
  'merge-schedule-limit',
  'region-schedule-limit',
  'replica-schedule-limit',
  'tolerant-size-ratio',
];

function configStatus(view: PdView): Family {
  const schedule = settingsOf(view, 'schedule');
  const shown = Object.fromEntries(SHOWN_SETTINGS.map((name) => [name, Number(schedule[name])]));
  const values = { ...shown, 'max-replicas': maxReplicas(view.state) };
  return byType('pd_config_status', 'Status of the scheduling configurations.', values);
}

function schedulerStatus(view: PdView): Family {
  return {
    name: 'pd_scheduler_status',
    type: 'gauge',
    help: 'Status of the scheduler.',
    samples: runningSchedulers(view).map((kind) => ({ labels: { kind, type: 'allow' }, value: 1 })),
  };
}
