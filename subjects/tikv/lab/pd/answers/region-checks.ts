import type { Peer, RegionReport } from '../model.js';
import { maxReplicas, mergeLimits } from '../settings.js';
import type { PdState } from '../state.js';
import { keysOf, sizeOf } from '../totals.js';
import type { PdView } from '../view.js';
import { type Answer, json, parseErrorText } from './answer.js';
import { regionList } from './region-info.js';

/** Up to this many MiB a region counts as empty (PD: `EmptyRegionApproximateSize`). */
export const EMPTY_REGION_MIB = 1;
/** From here on a region should have been split (TiKV: `region-max-size`, `region-max-keys`). */
const OVERSIZED_MIB = 144;
const OVERSIZED_KEYS = 1_440_000;

/** The classes of `GET /regions/check/{class}`. */
export type CheckClass =
  | 'miss-peer'
  | 'extra-peer'
  | 'down-peer'
  | 'pending-peer'
  | 'offline-peer'
  | 'learner-peer'
  | 'empty-region'
  | 'oversized-region'
  | 'undersized-region';

type Test = (report: RegionReport, state: PdState) => boolean;

/** Down and pending peers come from the leader's last heartbeat, and stay as long as it is silent. */
export const IN_CLASS: Readonly<Record<CheckClass, Test>> = {
  'miss-peer': ({ region }, state) => region.peers.length < maxReplicas(state),
  'extra-peer': ({ region }, state) => region.peers.length > maxReplicas(state),
  'down-peer': ({ downPeers }) => downPeers.length > 0,
  'pending-peer': ({ pendingPeers }) => pendingPeers.length > 0,
  'offline-peer': ({ region }, state) => region.peers.some((peer) => isLeaving(peer, state)),
  'learner-peer': ({ region }) => region.peers.some(({ role }) => role === 'Learner'),
  'empty-region': (report) => sizeOf(report) <= EMPTY_REGION_MIB,
  'oversized-region': (report) => sizeOf(report) >= OVERSIZED_MIB || keysOf(report) >= OVERSIZED_KEYS,
  'undersized-region': (report, state) => {
    const { mib, keys } = mergeLimits(state);
    return sizeOf(report) <= mib && keysOf(report) <= keys;
  },
};

const HISTOGRAMS = {
  size: { of: sizeOf, leastBound: 1 },
  keys: { of: keysOf, leastBound: 1_000 },
} as const;

/** `GET /regions/check/{class}` */
export function regionsInClass(view: PdView, name: CheckClass): Answer {
  return regionList(view.regions.all().filter((report) => IN_CLASS[name](report, view.state)));
}

/** `GET /regions/check/hist-size` and `hist-keys`, in buckets of `bound`. */
export function regionHistogram(
  view: PdView,
  ask: { readonly of: keyof typeof HISTOGRAMS; readonly query: URLSearchParams },
): Answer {
  const { of, leastBound } = HISTOGRAMS[ask.of];
  const asked = ask.query.get('bound') ?? '';
  if (asked !== '' && !/^[-+]?\d+$/.test(asked)) return json(parseErrorText('Atoi', asked), 400);
  const bound = Math.max(leastBound, Number(asked));
  const counts = new Map<number, number>();
  for (const report of view.regions.all()) {
    const bucket = Math.floor(of(report) / bound);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  const buckets = [...counts].sort(([a], [b]) => a - b);
  return json(buckets.map(([bucket, count]) => ({ start: bucket * bound, end: (bucket + 1) * bound - 1, count })));
}

function isLeaving({ storeId }: Peer, { stores }: PdState): boolean {
  return stores[storeId]?.state === 'Offline';
}
