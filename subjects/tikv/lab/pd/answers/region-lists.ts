import type { RegionReport } from '../model.js';
import { holesIn } from '../regions.js';
import { keysOf, sizeOf } from '../totals.js';
import type { PdView } from '../view.js';
import { type Answer, json, octets, parseErrorText } from './answer.js';
import { regionInfo, regionList, UNKNOWN_REGION } from './region-info.js';

/** What PD lists without a `limit`, and at most with one (PD: `defaultRegionLimit`, `maxRegionLimit`). */
const DEFAULT_LIMIT = 16;
const MOST = 10_240;

/** The orders of `GET /regions/{order}`, highest first. */
const ORDERS: Readonly<Record<string, (report: RegionReport) => number>> = {
  writeflow: ({ writtenBytes }) => writtenBytes,
  readflow: ({ readBytes }) => readBytes,
  size: sizeOf,
  keys: keysOf,
  confver: ({ region }) => region.epoch.confVer,
  version: ({ region }) => region.epoch.version,
};

/** The key ranges of keyspace 0, raw and transactional, encoded as TiKV does (PD: `keyspace.MakeRegionBound`). */
const KEYSPACE_0 = [
  { startKey: '7200000000000000FB', endKey: '7200000100000000FB', limit: 0 },
  { startKey: '7800000000000000FB', endKey: '7800000100000000FB', limit: 0 },
];

/** `GET /regions/writeflow` and the other top lists. */
export function topRegions(view: PdView, ask: { readonly by: string; readonly query: URLSearchParams }): Answer {
  const limit = limitOf(ask.query);
  if (typeof limit === 'string') return json(limit, 400);
  const of = ORDERS[ask.by] ?? sizeOf;
  return regionList(
    view.regions
      .all()
      .toSorted((a, b) => of(b) - of(a))
      .slice(0, limit),
  );
}

/** `GET /region/key/{key}`: the key as raw bytes, escaped in the path. */
export function regionAtKey(view: PdView, key: string): Answer {
  const report = view.regions.at(hexOf(key));
  return octets(report === undefined ? UNKNOWN_REGION : regionInfo(report));
}

/** `GET /regions/key?key=&end_key=&limit=`: the regions from a key on, in key order. */
export function regionsFromKey(view: PdView, query: URLSearchParams): Answer {
  const limit = limitOf(query);
  if (typeof limit === 'string') return json(limit, 400);
  const [startKey, endKey] = [hexOf(query.get('key') ?? ''), hexOf(query.get('end_key') ?? '')];
  return regionList(view.regions.scan({ startKey, endKey, limit }));
}

/** `GET /regions/keyspace/id/{id}`: only keyspace 0 exists here. */
export function keyspaceRegions(view: PdView, id: string): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  return regionList(id === '0' ? KEYSPACE_0.flatMap((range) => view.regions.scan(range)) : []);
}

/**
 * `GET /regions/sibling/{id}`: both neighbours. PD writes both into one buffer, so the last region of the key space, which
 * has none to the right, shows its left neighbour twice.
 */
export function siblings(view: PdView, id: string): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const all = view.regions.all();
  const here = all.findIndex(({ region }) => region.id === Number(id));
  if (here === -1) return json(`[PD:region:ErrRegionNotFound]region ${id} not found`, 404);
  const left = all[here - 1];
  const before = left === undefined ? UNKNOWN_REGION : regionInfo(left);
  const right = all[here + 1];
  return octets({ count: 2, regions: [before, right === undefined ? before : regionInfo(right)] });
}

/** `GET /regions/range-holes`: key ranges that no region covers, as pairs of keys. */
export function rangeHoles(view: PdView): Answer {
  return json(holesIn(view.regions));
}

function limitOf(query: URLSearchParams): number | string {
  const asked = query.get('limit') ?? '';
  if (asked === '') return DEFAULT_LIMIT;
  return /^[-+]?\d+$/.test(asked) ? Math.min(Number(asked), MOST) : parseErrorText('Atoi', asked);
}

function hexOf(key: string): string {
  return Buffer.from(key, 'latin1').toString('hex').toUpperCase();
}
