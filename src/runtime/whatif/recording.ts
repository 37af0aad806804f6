import type { ActInput, ThinkActivities } from '../../../workflows/activity-contract.js';
import type { TicketInput } from '../../../workflows/contract.js';
import type { ActRecord } from '../../domain/desk.js';
import { MedicError } from '../../domain/errors.js';
import { instant } from '../../domain/ids.js';
import type { Thought } from '../../domain/next-step.js';
import { parseHistory } from '../history.js';
import { hasRun, type RecordedActivity, recordedActivities, resultOf } from './facts.js';
import { decoded, type Script, scriptOf } from './script.js';

/** One recorded run, taken apart. */
export interface Recording {
  readonly script: Script;
  readonly facts: readonly RecordedActivity[];
  readonly input: TicketInput;
}

export interface RecordingSource {
  /** JSON text of a history. */
  readonly history: string;
  readonly workflowId: string;
  /** For messages. */
  readonly source: string;
}

/** Throws `MEDIC_HISTORY_UNREADABLE`, also for the history of another kind of workflow. */
export function readRecording({ history, workflowId, source }: RecordingSource): Recording {
  const script = { ...scriptOf(parseHistory(history, source), source), workflowId };
  const input = decoded<TicketInput>(script.input[0]);
  if (!input?.filing) throw new MedicError('MEDIC_HISTORY_UNREADABLE', `${source}: it is not the history of a ticket`);
  return { script, facts: recordedActivities(script), input };
}

/** A recorded turn of thinking; `thought` null: it failed, or the record ends before it ended. */
export interface RecordedThinking {
  readonly activity: RecordedActivity;
  readonly input: Parameters<ThinkActivities['think']>[0];
  readonly thought: Thought | null;
}

export const thinkingIn = ({ facts }: Recording): RecordedThinking[] =>
  facts
    .filter(({ name }) => name === 'think')
    .map((activity) => ({
      activity,
      input: activity.input as RecordedThinking['input'],
      thought: resultOf<Thought>(activity) ?? null,
    }));

/** Who thought in this record, the last time; `null`: nobody did. */
export const thinkerOf = (recording: Recording): string | null =>
  thinkingIn(recording).findLast(({ thought }) => thought)?.thought?.reasoner ?? null;

/** What it ran, for the rates of pre-approvals. */
export const actsIn = ({ facts, script }: Recording): ActRecord[] =>
  facts
    .filter((fact) => fact.name === 'act' && hasRun(fact))
    .map(({ input, askedAt, id }) => {
      const { plan } = input as ActInput;
      return { key: `${script.runId}.${id}`, action: plan.action ?? 'call', target: plan.target, at: instant(askedAt) };
    });
