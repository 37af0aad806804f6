import type { RegionReport } from './model.js';
import type { RegionCache } from './regions.js';

/** What the regions add up to on one store. Sizes in MiB. */
export interface StoreTotals {
  readonly leaderCount: number;
  readonly leaderSize: number;
  readonly leaderKeys: number;
  readonly regionCount: number;
  readonly regionSize: number;
  readonly regionKeys: number;
  readonly learnerCount: number;
  readonly pendingPeerCount: number;
}

/** Counts from the region cache, not from what stores claim: a silent store keeps what PD last knew of it. */
export function totalsOf(regions: RegionCache, storeId: number): StoreTotals {
  const here = regions.onStore(storeId);
  const led = here.filter(({ leader }) => leader?.storeId === storeId);
  return {
    leaderCount: led.length,
    leaderSize: sum(led, sizeOf),
    leaderKeys: sum(led, keysOf),
    regionCount: here.length,
    regionSize: sum(here, sizeOf),
    regionKeys: sum(here, keysOf),
    learnerCount: here.filter((report) => roleOn(report, storeId) === 'Learner').length,
    pendingPeerCount: here.filter(({ pendingPeers }) => pendingPeers.some((peer) => peer.storeId === storeId)).length,
  };
}

/** Sum of something over regions. */
export function sum(reports: readonly RegionReport[], of: (report: RegionReport) => number): number {
  return reports.reduce((total, report) => total + of(report), 0);
}

export const sizeOf = ({ approximateSize }: RegionReport): number => approximateSize;
export const keysOf = ({ approximateKeys }: RegionReport): number => approximateKeys;

function roleOn({ region }: RegionReport, storeId: number): string | undefined {
  return region.peers.find((peer) => peer.storeId === storeId)?.role;
}
