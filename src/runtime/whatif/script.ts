import { defaultPayloadConverter } from '@temporalio/common';
import type { temporal } from '@temporalio/proto';
import { MedicError } from '../../domain/errors.js';
import type { History } from '../history.js';

export type HistoryEvent = NonNullable<History['events']>[number];
export type Payload = temporal.api.common.v1.IPayload;

/** A recorded run as the workflow lived it: task by task, what woke it and what it answered. */
export interface Script {
  readonly workflowId: string;
  readonly runId: string;
  readonly input: readonly Payload[];
  /** ms since the epoch */
  readonly startedAt: number;
  readonly tasks: readonly Task[];
}

/** One workflow task that was completed; those that failed or timed out left nothing and are folded into the next one. */
export interface Task {
  /** ms since the epoch: what the workflow took for the present. */
  readonly at: number;
  readonly historyLength: number;
  /** In the order of the history. */
  readonly wokenBy: readonly HistoryEvent[];
  /** Updates that it accepted. */
  readonly updates: readonly Accepted[];
  /** Names of the patches that it met for the first time. */
  readonly patches: readonly string[];
  /** What it asked for: activities, timers, signals to others, in its order. */
  readonly asked: readonly HistoryEvent[];
}

export interface Accepted {
  readonly id: string;
  readonly name: string;
  readonly args: readonly Payload[];
}

const eventId = ({ eventId: id }: HistoryEvent): number => Number(id ?? 0);

const eventMs = ({ eventTime }: HistoryEvent): number => msOf(eventTime);

/** Of a time or of a duration as protobuf writes them; whole milliseconds, as the workflow counts them. */
export const msOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  secondsOf(time?.seconds) * 1_000 + Math.floor((time?.nanos ?? 0) / 1e6);

/** A text, a number, or the two halves of one, which lose their methods on the way out of the sandbox. */
function secondsOf(seconds: unknown): number {
  if (typeof seconds !== 'object' || seconds === null) return Number(seconds ?? 0);
  const { low, high } = seconds as { low: number; high: number };
  return high * 2 ** 32 + (low >>> 0);
}

/** The first value of a list of payloads. */
export const decoded = <T>(payload: Payload | null | undefined): T | undefined =>
  payload ? defaultPayloadConverter.fromPayload<T>(payload) : undefined;

/** Cuts a history into its tasks. Throws `MEDIC_HISTORY_UNREADABLE` for one that does not begin with a start. */
export function scriptOf({ events }: History, source: string): Script {
  const all = events ?? [];
  const started = all[0]?.workflowExecutionStartedEventAttributes;
  if (!started || !all[0])
    throw new MedicError('MEDIC_HISTORY_UNREADABLE', `${source}: it does not begin with a start`);
  return {
    workflowId: started.workflowId ?? '',
    runId: started.originalExecutionRunId ?? '',
    input: started.input?.payloads ?? [],
    startedAt: eventMs(all[0]),
    tasks: tasksOf(all.slice(1)),
  };
}

function tasksOf(events: readonly HistoryEvent[]): Task[] {
  const completed = events.filter((event) => event.workflowTaskCompletedEventAttributes);
  const starts = completed.map((event) => Number(event.workflowTaskCompletedEventAttributes?.startedEventId));
  return completed.flatMap((end, i) => {
    const start = events.find((event) => eventId(event) === starts[i]);
    if (!start) return [];
    const after = starts[i - 1] ?? 0;
    const next = starts[i + 1] ?? Number.POSITIVE_INFINITY;
    const outcome = events.filter((event) => eventId(event) > eventId(end) && eventId(event) < next);
    return [
      {
        at: eventMs(start),
        historyLength: eventId(start),
        wokenBy: events.filter((event) => eventId(event) > after && eventId(event) < eventId(start) && wakes(event)),
        updates: outcome.flatMap(acceptedIn),
        patches: outcome.flatMap(patchIn),
        asked: outcome.filter(isAsked),
      },
    ];
  });
}

/** What a workflow hears; everything else of a history is bookkeeping, or its own doing. */
const wakes = (event: HistoryEvent): boolean =>
  outcomeOf(event) !== null ||
  Boolean(
    event.timerFiredEventAttributes ??
      event.workflowExecutionSignaledEventAttributes ??
      event.externalWorkflowExecutionSignaledEventAttributes ??
      event.signalExternalWorkflowExecutionFailedEventAttributes ??
      event.workflowExecutionCancelRequestedEventAttributes,
  );

const isAsked = (event: HistoryEvent): boolean =>
  Boolean(
    event.activityTaskScheduledEventAttributes ??
      event.timerStartedEventAttributes ??
      event.signalExternalWorkflowExecutionInitiatedEventAttributes,
  );

function acceptedIn({ workflowExecutionUpdateAcceptedEventAttributes: accepted }: HistoryEvent): Accepted[] {
  const request = accepted?.acceptedRequest;
  const name = request?.input?.name;
  const id = request?.meta?.updateId;
  return name && id ? [{ id, name, args: request?.input?.args?.payloads ?? [] }] : [];
}

function patchIn({ markerRecordedEventAttributes: marker }: HistoryEvent): string[] {
  if (marker?.markerName !== 'core_patch') return [];
  const patch = decoded<{ id: string }>(marker.details?.['patch-data']?.payloads?.[0]);
  return patch ? [patch.id] : [];
}

/** What became of an activity; `null`: the event tells of none. */
export type Outcome =
  | { readonly kind: 'completed'; readonly of: number; readonly result: Payload | null }
  | { readonly kind: 'failed' | 'cancelled'; readonly of: number; readonly cause: temporal.api.failure.v1.IFailure };

export function outcomeOf(event: HistoryEvent): Outcome | null {
  const completed = event.activityTaskCompletedEventAttributes;
  if (completed)
    return {
      kind: 'completed',
      of: Number(completed.scheduledEventId),
      result: completed.result?.payloads?.[0] ?? null,
    };
  const failed = event.activityTaskFailedEventAttributes ?? event.activityTaskTimedOutEventAttributes;
  if (failed) return { kind: 'failed', of: Number(failed.scheduledEventId), cause: failed.failure ?? {} };
  const cancelled = event.activityTaskCanceledEventAttributes;
  return cancelled
    ? { kind: 'cancelled', of: Number(cancelled.scheduledEventId), cause: { canceledFailureInfo: {} } }
    : null;
}
