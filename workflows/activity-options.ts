import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type {
  ActActivities,
  AuthoriseActivities,
  BudgetActivities,
  DeliverActivities,
  DeskworkActivities,
  JudgeActivities,
  LookActivities,
  ThinkActivities,
  WatchActivities,
} from './activity-contract.js';

/**
 * Activities by their failure contract; the only place that sets their time-outs and retries. The server's own default
 * is to retry for ever.
 */

/** Configuration and bookkeeping: short, harmless to repeat, and nothing goes on without them. */
export const deskwork = proxyActivities<DeskworkActivities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
});

/** Whose answer counts: the person waits for it, and so does the ticket. */
export const authorising = proxyActivities<AuthoriseActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

/** Telling people of the budget: retried for a while, and then again after a pause, so that money is never held up. */
export const telling = proxyActivities<BudgetActivities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '2m',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
});

/** To systems of others: tried for a day, seldom at the end. Nothing waits for it. */
export const delivering = proxyActivities<DeliverActivities>({
  startToCloseTimeout: '20s',
  scheduleToCloseTimeout: '24h',
  retry: { initialInterval: '1s', maximumInterval: '5m' },
});

/**
 * About a minute of failures. Tries are counted, not time: a time limit would run out while no worker or no server runs, or
 * the machine sleeps, and a ticket would then be a person's because of an outage of Medic's own. A worker that dies in the
 * middle is noticed by its beats, rather than by the longest that a try may take.
 */
const PATIENT = {
  startToCloseTimeout: '20s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '500ms', maximumInterval: '5s', maximumAttempts: 15 },
} as const;

/** Read-only. What cannot be had by then is itself an answer. */
export const looking = proxyActivities<LookActivities>(PATIENT);

/** Harmless to repeat, too. */
export const judging = proxyActivities<JudgeActivities>(PATIENT);

/**
 * A model may take minutes, and up to nine calls of it make one thought; an outage becomes a state of the ticket, not
 * an endless retry.
 */
export const thinking = proxyActivities<ThinkActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '2s', maximumInterval: '1m', maximumAttempts: 6 },
});

/** Room for looking and judging before, and for killing the command's process group after, its own deadline. */
const ACT_MARGIN_MS = 30_000;

/**
 * Mutating: one attempt, ever. The heartbeat time-out is also the latency of an abort (temporal-verified: a cancel is
 * delivered with a heartbeat's answer). The default cancellation type would let the workflow go on while the command
 * still runs.
 */
export const acting = (timeoutMs: number) =>
  proxyActivities<ActActivities>({
    startToCloseTimeout: timeoutMs + ACT_MARGIN_MS,
    heartbeatTimeout: '4s',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: 1 },
  });

/** Runs for as long as the patrol does; a dead worker is noticed within seconds. */
export const watching = (taskQueue: string) =>
  proxyActivities<WatchActivities>({
    taskQueue,
    startToCloseTimeout: '1h',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '500ms', maximumInterval: '2s' },
  });
