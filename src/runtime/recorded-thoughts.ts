import { defaultPayloadConverter } from '@temporalio/common';
import type { ThinkActivities } from '../../workflows/activity-contract.js';
import type { Thought } from '../domain/next-step.js';
import type { RecordedThought } from '../reasoner/recorded.js';
import type { History } from './history.js';

type ThinkInput = Parameters<ThinkActivities['think']>[0];

/** A recorded thought with what it was thought about. */
export interface RecordedTurn extends RecordedThought {
  readonly digest: ThinkInput['digest'];
}

/** Every thought of a ticket with its turn, out of its history: what the `recorded` reasoner answers with. */
export function recordedThoughts(history: History): RecordedTurn[] {
  const events = history.events ?? [];
  const digests = new Map(
    events.flatMap((event) => {
      const scheduled = event.activityTaskScheduledEventAttributes;
      const [input] = scheduled?.input?.payloads ?? [];
      if (scheduled?.activityType?.name !== 'think' || !input) return [];
      return [[String(event.eventId), defaultPayloadConverter.fromPayload<ThinkInput>(input).digest] as const];
    }),
  );
  return events.flatMap((event) => {
    const completed = event.activityTaskCompletedEventAttributes;
    const digest = digests.get(String(completed?.scheduledEventId));
    const [result] = completed?.result?.payloads ?? [];
    return digest === undefined || !result
      ? []
      : [{ turn: digest.turn, digest, thought: defaultPayloadConverter.fromPayload<Thought>(result) }];
  });
}
