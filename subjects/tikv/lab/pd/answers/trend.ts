import { goDuration, goTime } from '../go-format.js';
import type { StoreMeta } from '../model.js';
import { silenceOf } from '../settings.js';
import { stateName } from '../stores.js';
import { totalsOf } from '../totals.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** Unix seconds of Go's zero time: nobody asked for a beginning. */
const GO_ZERO_TIME = -62_135_596_800;

/** `GET /trend`: the stores with sizes in plain bytes. No operator ever moved anything, so there is no history. */
export function trend(view: PdView): Answer {
  const living = Object.values(view.state.stores).filter(({ state }) => state !== 'Tombstone');
  return json({
    stores: living.map((store) => trendOf(view, store)),
    history: { start: GO_ZERO_TIME, end: Number(view.nowNs / 1_000_000_000n), entries: [] },
  });
}

function trendOf(view: PdView, store: StoreMeta): object {
  const stats = view.heartbeats.stats(store.id);
  const totals = totalsOf(view.regions, store.id);
  const lastHeartbeatNs = view.heartbeats.lastHeartbeatNs(store);
  const startNs = BigInt(store.startTimestamp) * 1_000_000_000n;
  return {
    id: store.id,
    address: store.address,
    state_name: stateName(store, silenceOf(view), view.nowNs - lastHeartbeatNs),
    capacity: stats?.capacity ?? 0,
    available: stats?.available ?? 0,
    region_count: totals.regionCount,
    leader_count: totals.leaderCount,
    start_ts: goTime(startNs),
    last_heartbeat_ts: goTime(lastHeartbeatNs),
    ...(lastHeartbeatNs > startNs ? { uptime: goDuration(lastHeartbeatNs - startNs) } : {}),
    hot_write_flow: 0,
    hot_write_region_flows: null,
    hot_read_flow: 0,
    hot_read_region_flows: null,
  };
}
