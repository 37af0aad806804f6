import { defaultPayloadConverter } from '@temporalio/common';
import type { ThinkActivities } from '../../workflows/contract.js';
import type { Thought } from '../domain/next-step.js';
import type { RecordedThought } from '../reasoner/recorded.js';
import type { History } from './history.js';

type ThinkInput = Parameters<ThinkActivities['think']>[0];

/** Every thought of a ticket with its turn, out of its history: what the `recorded` reasoner answers with. */
export function recordedThoughts(history: History): RecordedThought[] {
  const events = history.events ?? [];
  const turns = new Map(
    events.flatMap((event) => {
      const scheduled = event.activityTaskScheduledEventAttributes;
      const [input] = scheduled?.input?.payloads ?? [];
      if (scheduled?.activityType?.name !== 'think' || !input) return [];
      return [[String(event.eventId), defaultPayloadConverter.fromPayload<ThinkInput>(input).digest.turn] as const];
    }),
  );
  return events.flatMap((event) => {
    const completed = event.activityTaskCompletedEventAttributes;
    const turn = turns.get(String(completed?.scheduledEventId));
    const [result] = completed?.result?.payloads ?? [];
    return turn === undefined || !result
      ? []
      : [{ turn, thought: defaultPayloadConverter.fromPayload<Thought>(result) }];
  });
}
