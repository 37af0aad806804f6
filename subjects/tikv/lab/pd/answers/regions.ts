import { keysOf, sizeOf, sum, totalsOf } from '../totals.js';
import type { PdView } from '../view.js';
import { type Answer, json, octets, parseErrorText } from './answer.js';
import { EMPTY_REGION_MIB } from './region-checks.js';
import { regionInfo, regionList, UNKNOWN_REGION } from './region-info.js';

/** `GET /regions`: all of them, whatever `limit` says. */
export function regions(view: PdView): Answer {
  return regionList(view.regions.all());
}

/** `GET /regions/count` */
export function regionCount(view: PdView): Answer {
  return json({ count: view.regions.size, regions: null });
}

/** `GET /region/id/{id}`: an unknown region is a region with id 0, not an error. */
export function region(view: PdView, id: string): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const report = view.regions.get(Number(id));
  return octets(report === undefined ? UNKNOWN_REGION : regionInfo(report));
}

/** `GET /regions/store/{id}`: none for an unknown store. */
export function regionsOnStore(view: PdView, id: string, query: URLSearchParams): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const here = view.regions.onStore(Number(id));
  const leadersOnly = query.get('type') === 'leader';
  return regionList(leadersOnly ? here.filter(({ leader }) => leader?.storeId === Number(id)) : here);
}

/** `GET /stats/region[?count]`: with `count` only the number of regions is filled. Stores with nothing are absent. */
export function regionStats(view: PdView, query: URLSearchParams): Answer {
  const all = view.regions.all();
  if (query.has('count')) return json(statsOf({ count: all.length }));
  const ids = Object.keys(view.state.stores);
  const perStore = (of: keyof ReturnType<typeof totalsOf>, present: 'leaderCount' | 'regionCount') =>
    Object.fromEntries(
      ids.flatMap((id) => {
        const totals = totalsOf(view.regions, Number(id));
        return totals[present] === 0 ? [] : [[id, totals[of]]];
      }),
    );
  return json(
    statsOf({
      count: all.length,
      empty_count: all.filter((report) => sizeOf(report) <= EMPTY_REGION_MIB).length,
      storage_size: sum(all, sizeOf),
      storage_keys: sum(all, keysOf),
      store_leader_count: perStore('leaderCount', 'leaderCount'),
      store_peer_count: perStore('regionCount', 'regionCount'),
      store_leader_size: perStore('leaderSize', 'leaderCount'),
      store_leader_keys: perStore('leaderKeys', 'leaderCount'),
      store_peer_size: perStore('regionSize', 'regionCount'),
      store_peer_keys: perStore('regionKeys', 'regionCount'),
    }),
  );
}

function statsOf(known: Readonly<Record<string, unknown>>): object {
  const unknown = {
    count: 0,
    empty_count: 0,
    storage_size: 0,
    user_storage_size: 0,
    storage_keys: 0,
    store_leader_count: null,
    store_peer_count: null,
    store_leader_size: null,
    store_leader_keys: null,
    store_peer_size: null,
    store_peer_keys: null,
  };
  return { ...unknown, ...known };
}
