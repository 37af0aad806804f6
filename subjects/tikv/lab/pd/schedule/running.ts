import { runningEntry, type SchedulerEntry, schedulerName } from '../scheduler-entries.js';
import type { Scheduler } from './scheduler.js';
import { BALANCE_LEADER, balanceLeaders } from './schedulers/balance-leader.js';
import { BALANCE_REGION, balanceRegions } from './schedulers/balance-region.js';
import { evictLeaders } from './schedulers/evict-leaders.js';
import { GRANT_LEADER, grantLeaders } from './schedulers/grant-leaders.js';
import type { StoreSight } from './survey.js';

/** Leaders that a scheduler moves at a time, where nobody set it (PD: `EvictLeaderBatchSize`, `BalanceLeaderBatchSize`). */
export const EVICT_BATCH = 3;
export const BALANCE_BATCH = 4;

/** A scheduler that acts, with the schedule limit that holds for it. */
export interface RunningScheduler {
  readonly name: string;
  readonly counts: 'leader' | 'region';
  /** A scheduler that looks for imbalance rests longer and longer while it finds none. */
  readonly rests: 'never' | 'when-idle';
  readonly run: Scheduler;
}

/** The schedulers of the configuration that act here. Those about hot regions, labels, merging and shuffling do not. */
export function runningOf(entries: readonly SchedulerEntry[]): readonly RunningScheduler[] {
  return entries
    .map(({ type }) => runningEntry(entries, schedulerName(type)))
    .map((entry) => (entry === undefined ? undefined : schedulerFor(entry)))
    .filter((scheduler) => scheduler !== undefined);
}

function schedulerFor(entry: SchedulerEntry): RunningScheduler | undefined {
  const name = schedulerName(entry.type);
  const { storeIds = [], batch } = entry;
  const evict =
    (ids: readonly number[]): Scheduler =>
    (round) =>
      evictLeaders(round, { desc: name, storeIds: ids, batch: batch ?? EVICT_BATCH });
  switch (name) {
    case BALANCE_LEADER:
      return {
        name,
        counts: 'leader',
        rests: 'when-idle',
        run: (round) => balanceLeaders(round, { batch: batch ?? BALANCE_BATCH }),
      };
    case BALANCE_REGION:
      return { name, counts: 'region', rests: 'when-idle', run: balanceRegions };
    case GRANT_LEADER:
      return { name, counts: 'leader', rests: 'never', run: (round) => grantLeaders(round, storeIds) };
    case 'evict-leader-scheduler':
    case 'evict-slow-store-scheduler':
      return { name, counts: 'leader', rests: 'never', run: evict(storeIds) };
    case 'evict-stopping-store-scheduler':
      return { name, counts: 'leader', rests: 'never', run: (round) => evict(stopping(round.survey.stores))(round) };
    default:
      return undefined;
  }
}

function stopping(stores: readonly StoreSight[]): number[] {
  return stores.filter(({ stats }) => stats?.isStopping === true).map(({ id }) => id);
}
