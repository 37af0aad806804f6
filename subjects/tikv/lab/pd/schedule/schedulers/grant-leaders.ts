import { transferLeader } from '../build.js';
import type { Draft } from '../operator.js';
import { followerStores, idleRegions, isHealthy, type Round } from '../scheduler.js';

/** PD's name of it. */
export const GRANT_LEADER = 'grant-leader-scheduler';

/**
 * Moves leaders to the named stores, one for each at a time and whatever balance says (PD: `grant_leader.go`). Balance
 * takes them back if nobody pauses it: so it is with PD.
 */
export function grantLeaders(round: Round, storeIds: readonly number[]): Draft[] {
  const taken = new Set<number>();
  return storeIds.flatMap((to) => {
    const report = idleRegions(round).find(
      (each) => isHealthy(each) && followerStores(each).includes(to) && !taken.has(each.region.id),
    );
    if (report === undefined) return [];
    taken.add(report.region.id);
    return [transferLeader({ desc: GRANT_LEADER, kinds: ['leader'], priority: 'balance', report }, { to })];
  });
}
