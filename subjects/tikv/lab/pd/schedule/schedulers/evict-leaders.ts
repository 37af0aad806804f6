import type { RegionReport } from '../../model.js';
import { transferLeader } from '../build.js';
import { leaderTargetRefusal } from '../filters.js';
import type { Draft } from '../operator.js';
import { followerStores, idleRegions, isHealthy, type Round } from '../scheduler.js';

export interface Eviction {
  /** The scheduler in whose name it happens. */
  readonly desc: string;
  readonly storeIds: readonly number[];
  /** Leaders at a time. */
  readonly batch: number;
}

/**
 * Moves leaders away from stores, whatever balance says (PD: `evict_leader.go`). Any voter on a store that takes leaders
 * will do. Regions that lack a peer come last, and not to that peer.
 */
export function evictLeaders(round: Round, { desc, storeIds, batch }: Eviction): Draft[] {
  if (storeIds.length === 0) return [];
  const led = idleRegions(round).filter(({ leader }) => leader !== null && storeIds.includes(leader.storeId));
  const inOrder = [...led.filter(isHealthy), ...led.filter((report) => !isHealthy(report))];
  const drafts: Draft[] = [];
  for (const report of inOrder) {
    if (drafts.length > batch) break;
    const candidates = candidatesOf(round, report);
    const to = candidates[Math.floor(round.random() * candidates.length)];
    if (to === undefined) continue;
    const wish = { desc, kinds: ['leader'], priority: 'balance', report } as const;
    drafts.push(transferLeader(wish, { to, candidates }));
  }
  return drafts;
}

/** Stores that could lead the region instead. */
function candidatesOf({ survey }: Round, report: RegionReport): number[] {
  const lacking = [...report.pendingPeers, ...report.downPeers.map(({ peer }) => peer)].map(({ storeId }) => storeId);
  return followerStores(report).filter((storeId) => {
    const store = survey.store(storeId);
    return store !== undefined && leaderTargetRefusal(store) === null && !lacking.includes(storeId);
  });
}
