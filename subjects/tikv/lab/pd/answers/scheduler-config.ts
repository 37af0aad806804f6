import { BALANCE_BATCH, EVICT_BATCH } from '../schedule/running.js';
import { scheduleTimes } from '../schedule/times.js';
import { runningEntry, type SchedulerEntry } from '../scheduler-entries.js';
import type { PdView } from '../view.js';
import { type Answer, json, NOT_FOUND } from './answer.js';

const EVERYWHERE = [{ 'end-key': '', 'start-key': '' }];

/** PD's defaults of the hot region balancer (PD: `hot_region_config.go`). */
const HOT_REGION = {
  'min-hot-byte-rate': 100,
  'min-hot-key-rate': 10,
  'min-hot-query-rate': 10,
  'max-zombie-rounds': 3,
  'max-peer-number': 1000,
  'byte-rate-rank-step-ratio': 0.05,
  'key-rate-rank-step-ratio': 0.05,
  'query-rate-rank-step-ratio': 0.05,
  'count-rank-step-ratio': 0.01,
  'great-dec-ratio': 0.95,
  'minor-dec-ratio': 0.99,
  'src-tolerance-ratio': 1.05,
  'dst-tolerance-ratio': 1.05,
  'write-leader-priorities': ['query', 'byte'],
  'write-peer-priorities': ['byte', 'key'],
  'read-priorities': ['query', 'byte'],
  'strict-picking-store': 'true',
  'enable-for-tiflash': 'true',
  'rank-formula-version': 'v2',
  'split-thresholds': 0.2,
  'history-sample-duration': '5m0s',
  'history-sample-interval': '30s',
};

/** What each kind shows of itself; kinds that are not here have no route of their own. */
const LISTS: Readonly<Record<string, (entry: SchedulerEntry, view: PdView) => object>> = {
  'balance-leader-scheduler': ({ batch = BALANCE_BATCH }) => ({ ranges: EVERYWHERE, batch }),
  'balance-hot-region-scheduler': () => HOT_REGION,
  'evict-slow-store-scheduler': evictSlowStore,
  'evict-leader-scheduler': ({ storeIds, batch = EVICT_BATCH }) => ({ 'store-id-ranges': ranges(storeIds), batch }),
  'grant-leader-scheduler': ({ storeIds }) => ({ 'store-id-ranges': ranges(storeIds) }),
};

/** `GET /scheduler-config/{name}/list`: 404 for a scheduler that does not run. */
export function schedulerConfig(view: PdView, name: string): Answer {
  const entry = runningEntry(view.state.schedulers, name);
  const list = LISTS[name];
  return entry === undefined || list === undefined ? NOT_FOUND : json(list(entry, view));
}

/** The store that is held; slow links never hold one (PD: `enable-network-slow-store` is false). */
function evictSlowStore({ storeIds = [], recoverySeconds, batch = EVICT_BATCH }: SchedulerEntry, view: PdView): object {
  return {
    disabled: false,
    'recovery-duration': recoverySeconds ?? scheduleTimes(view.times).recoveryMs / 1_000,
    'evict-stores': storeIds,
    'enable-network-slow-store': false,
    'paused-network-slow-stores': [],
    'evicted-network-slow-stores': [],
    batch,
  };
}

function ranges(storeIds: readonly number[] = []): object {
  return Object.fromEntries(storeIds.map((id) => [id, EVERYWHERE]));
}
