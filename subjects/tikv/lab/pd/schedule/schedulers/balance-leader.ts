import { transferLeader } from '../build.js';
import { leaderSourceRefusal, leaderTargetRefusal } from '../filters.js';
import type { Draft } from '../operator.js';
import { followerStores, idleRegions, isHealthy, type Round } from '../scheduler.js';
import { leaderScore, type StoreSight } from '../survey.js';

/** PD's name of it. */
export const BALANCE_LEADER = 'balance-leader-scheduler';
/** Leaders on either side that PD leaves alone (PD: `leaderTolerantSizeRatio`, unless `tolerant-size-ratio` is set). */
const TOLERANCE = 5;

/**
 * Moves leaders from stores with many to stores with few, `batch` at most at a time (PD: `balance_leader.go`). Two
 * stores that differ by up to twice the tolerance are level. What runs already counts on the giving side as gone and on
 * the taking side as there. The counts themselves are those of the round before: PD counts a store's leaders behind the
 * heartbeats, which is why it moves a few more than it should (28, 0, 0 ends as 12, 8, 8).
 */
export function balanceLeaders(round: Round, { batch }: { readonly batch: number }): Draft[] {
  const drafts: Draft[] = [];
  const taken = new Set<number>();
  while (drafts.length < batch) {
    const draft = nextTransfer({ ...round, isBusy: (id) => round.isBusy(id) || taken.has(id) });
    if (draft === null) break;
    drafts.push(draft);
    taken.add(draft.report.region.id);
    round.influences.addDraft(draft);
  }
  return drafts;
}

/** The first transfer out of the fullest stores, else the first one into the emptiest. */
function nextTransfer(round: Round): Draft | null {
  const { survey } = round;
  const byScore = (a: StoreSight, b: StoreSight) => scoreOf(round, a) - scoreOf(round, b);
  const sources = survey.stores.filter((store) => leaderSourceRefusal(store) === null).sort((a, b) => byScore(b, a));
  const targets = survey.stores.filter((store) => leaderTargetRefusal(store) === null).sort(byScore);
  for (const source of sources) {
    for (const target of targets) {
      if (source.id === target.id || !shouldMove(round, source, target)) continue;
      const found = idleRegions(round).find(
        (report) =>
          isHealthy(report) && report.leader?.storeId === source.id && followerStores(report).includes(target.id),
      );
      if (found !== undefined) return draftOf(found, target.id);
    }
  }
  return null;
}

function draftOf(report: Draft['report'], to: number): Draft {
  return transferLeader({ desc: BALANCE_LEADER, kinds: ['leader'], priority: 'balance', report }, { to });
}

function scoreOf({ influences, leadersBefore }: Round, store: StoreSight): number {
  return leaderScore(store, leadersBefore(store.id) + influences.of(store.id).leaders);
}

/** PD: `solver.shouldBalance`. */
function shouldMove({ survey, influences, leadersBefore }: Round, source: StoreSight, target: StoreSight): boolean {
  const tolerance = Math.trunc(survey.number('tolerant-size-ratio') || TOLERANCE);
  const giving = -Math.abs(influences.of(source.id).leaders) - tolerance;
  const taking = Math.abs(influences.of(target.id).leaders) + tolerance;
  const [left, right] = [leadersBefore(source.id) + giving, leadersBefore(target.id) + taking];
  return leaderScore(source, left) > leaderScore(target, right);
}
