import { goBytes, goDuration, goTime } from '../go-format.js';
import type { NodeState, StoreMeta, StoreState, StoreStats } from '../model.js';
import { regionScore } from '../region-score.js';
import { silenceOf } from '../settings.js';
import { DEFAULT_WEIGHT } from '../state.js';
import { stateName } from '../stores.js';
import { totalsOf } from '../totals.js';
import type { PdView } from '../view.js';
import { type Answer, inputError, json, parseErrorText } from './answer.js';

const STATES: readonly StoreState[] = ['Up', 'Offline', 'Tombstone'];
const NODE_STATES: readonly NodeState[] = ['Preparing', 'Serving', 'Removing', 'Removed'];
const NANOS_PER_SECOND = 1_000_000_000n;
/** PD: `minWeight`. */
const LEAST_WEIGHT = 1e-6;

const NO_STATS: StoreStats = {
  capacity: 0,
  available: 0,
  usedSize: 0,
  sendingSnapCount: 0,
  receivingSnapCount: 0,
  slowScore: 0,
  networkSlowScores: {},
  isBusy: false,
  isStopping: false,
};

/** `GET /stores[?state=0&state=1]`: Up and Offline unless asked otherwise, by number. */
export function stores(view: PdView, query: URLSearchParams): Answer {
  const asked = query.getAll('state');
  const wrong = asked.find((state) => !/^[-+]?\d+$/.test(state));
  if (wrong !== undefined) return json(parseErrorText('Atoi', wrong), 500);
  const states = asked.length === 0 ? ['Up', 'Offline'] : asked.map((state) => STATES[Number(state)]);
  return storeList(view, ({ state }) => states.includes(state));
}

/** The stores that match, with their status. */
export function storeList(view: PdView, matches: (store: StoreMeta) => boolean): Answer {
  const found = Object.values(view.state.stores).filter(matches);
  return json({ count: found.length, stores: found.map((store) => storeInfo(view, store)) });
}

/** `GET /store/{id}` */
export function store(view: PdView, id: string): Answer {
  if (!/^\d+$/.test(id)) return inputError(parseErrorText('ParseUint', id));
  const found = view.state.stores[Number(id)];
  if (found === undefined) return storeNotFound(id, 404);
  return json(storeInfo(view, found));
}

/** PD's complaint about a store that it does not know; most changes have 500. */
export function storeNotFound(id: string | number, status: 404 | 500): Answer {
  return json(`[PD:core:ErrStoreNotFound]store ${id} not found`, status);
}

function storeInfo(view: PdView, store: StoreMeta): object {
  return { store: metaOf(view, store), status: statusOf(view, store) };
}

function metaOf(view: PdView, store: StoreMeta): object {
  const lastHeartbeatNs = view.heartbeats.lastHeartbeatNs(store);
  return withoutZeros(
    {
      id: store.id,
      address: store.address,
      state: STATES.indexOf(store.state),
      labels: store.labels,
      version: store.version,
      peer_address: store.peerAddress,
      status_address: store.statusAddress,
      git_hash: store.gitHash,
      start_timestamp: store.startTimestamp,
      deploy_path: store.deployPath,
      last_heartbeat: lastHeartbeatNs,
      physically_destroyed: store.physicallyDestroyed,
      node_state: NODE_STATES.indexOf(store.nodeState),
      state_name: stateName(store, silenceOf(view), view.nowNs - lastHeartbeatNs),
    },
    { always: ['id', 'state_name'] },
  );
}

function statusOf(view: PdView, store: StoreMeta): object {
  const stats = view.heartbeats.stats(store.id) ?? NO_STATS;
  const totals = totalsOf(view.regions, store.id);
  const weight = view.state.weights[store.id] ?? DEFAULT_WEIGHT;
  const lastHeartbeatNs = view.heartbeats.lastHeartbeatNs(store);
  const startNs = BigInt(store.startTimestamp) * NANOS_PER_SECOND;
  return {
    capacity: goBytes(stats.capacity),
    available: goBytes(stats.available),
    used_size: goBytes(stats.usedSize),
    leader_count: totals.leaderCount,
    leader_weight: weight.leader,
    leader_score: weighed(totals.leaderCount, weight.leader),
    leader_size: totals.leaderSize,
    region_count: totals.regionCount,
    region_weight: weight.region,
    region_score: weighed(regionScore({ ...stats, regionSize: totals.regionSize }), weight.region),
    region_size: totals.regionSize,
    ...withoutZeros({
      learner_count: totals.learnerCount,
      slow_score: stats.slowScore,
      network_slow_score: stats.networkSlowScores,
      pending_peer_count: totals.pendingPeerCount,
      sending_snap_count: stats.sendingSnapCount,
      receiving_snap_count: stats.receivingSnapCount,
      is_busy: stats.isBusy,
    }),
    start_ts: goTime(startNs),
    last_heartbeat_ts: goTime(lastHeartbeatNs),
    ...(lastHeartbeatNs > startNs ? { uptime: goDuration(lastHeartbeatNs - startNs) } : {}),
  };
}

/** PD takes a weight of 0 for one millionth, which drains the store. */
function weighed(score: number, weight: number): number {
  return score / Math.max(weight, LEAST_WEIGHT);
}

/** Go's `omitempty`: PD leaves zero fields out, so `state` is absent for Up. */
function withoutZeros(fields: object, { always = [] as string[] } = {}): object {
  const isZero = (value: unknown) => !value || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => always.includes(key) || !isZero(value)));
}
