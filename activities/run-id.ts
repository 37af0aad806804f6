import { activityInfo } from '@temporalio/activity';
import type { StepRef } from '../workflows/activity-contract.js';

/**
 * The run as the activity sees it. Only this may key what outlives a reset: the workflow itself replays its kept
 * prefix under the new run id.
 */
export const currentRun = (): string => activityInfo().workflowExecution?.runId ?? 'no-workflow';

/** Names what this activity tells of; the same over all its tries. */
export const currentEvent = (): string => `${currentRun()}.${activityInfo().activityId}`;

/** Key of one act in the host's journal (DESIGN 8). */
export const journalKey = (run: string, ref: Omit<StepRef, 'ticket'>): string =>
  `${run}.${ref.proposal}.${ref.step}.${ref.try}`;
