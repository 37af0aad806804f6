import type { ActInput, ActOutcome } from '../../../workflows/activity-contract.js';
import type { EvidenceId } from '../../domain/ids.js';
import { callBytes } from '../../domain/query.js';
import { decoded, type Outcome, outcomeOf, type Script } from './script.js';

/** One activity of a record, with where in the ticket it stood. */
export interface RecordedActivity {
  /** Id of the event by which it was asked for. */
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
  /** The turn that was open. */
  readonly turn: number;
  /** What had been done to the subject before it: two answers are about the same world only where this is the same. */
  readonly world: World;
  /** ms since the epoch, of the task that asked for it */
  readonly askedAt: number;
  /** `null`: the record ends before it ended. */
  outcome: Outcome | null;
}

/** The calls that acts have run so far, as one text. */
export type World = string;

export const UNTOUCHED: World = '';

/** The world after one more act. One of unknown outcome may have run. */
export const after = (world: World, { plan }: Pick<ActInput, 'plan'>): World => `${world}\n${callBytes(plan.call)}`;

/** What an activity returned; `undefined` when it failed or did not end. */
export const resultOf = <T>({ outcome }: Pick<RecordedActivity, 'outcome'>): T | undefined =>
  outcome?.kind === 'completed' ? decoded<T>(outcome.result) : undefined;

/** The id of the evidence that an activity brings; `null`: it brings none. */
export const evidenceOf = ({ name, input }: Pick<RecordedActivity, 'name' | 'input'>): EvidenceId | null =>
  name === 'look' || name === 'lookAtPicture' ? (input as { id: EvidenceId }).id : null;

/** Everything that a recorded run asked for, in the order in which it did. */
export function recordedActivities({ tasks }: Script): RecordedActivity[] {
  const all: RecordedActivity[] = [];
  let turn = 0;
  let world = UNTOUCHED;
  for (const { wokenBy, asked, at } of tasks) {
    for (const outcome of wokenBy.map(outcomeOf)) {
      const activity = all.find(({ id }) => id === outcome?.of);
      if (!outcome || !activity) continue;
      activity.outcome = outcome;
      if (activity.name === 'act' && hasRun(activity)) world = after(world, activity.input as ActInput);
    }
    for (const event of asked) {
      const scheduled = event.activityTaskScheduledEventAttributes;
      if (!scheduled) continue;
      const name = scheduled.activityType?.name ?? '';
      const input = decoded(scheduled.input?.payloads?.[0]);
      if (name === 'openTurn') turn = (input as { turn: number }).turn;
      all.push({ id: Number(event.eventId), name, input, turn, world, askedAt: at, outcome: null });
    }
  }
  return all;
}

/** Refused is the only end that says for certain that nothing ran. */
export const hasRun = (activity: Pick<RecordedActivity, 'outcome'>): boolean =>
  resultOf<ActOutcome>(activity)?.outcome !== 'refused';
