import { defaultPayloadConverter } from '@temporalio/common';
import type { coresdk, temporal } from '@temporalio/proto';
import type { TrailEvent } from '../../domain/trail.js';
import type { Command, Job, Moment, Sandbox } from './sandbox.js';
import { type Accepted, decoded, type HistoryEvent, msOf, type Payload } from './script.js';

/** An activity that the workflow waits for. */
export interface PendingActivity {
  readonly seq: number;
  readonly name: string;
  /** Its one argument. */
  readonly input: unknown;
  /** Id of the event by which it was asked for in the record; `null`: the record has no such event. */
  readonly recordedAs: number | null;
}

interface PendingTimer {
  readonly seq: number;
  /** ms since the epoch */
  readonly dueAt: number;
  readonly recordedAs: number | null;
}

interface PendingSignal {
  readonly seq: number;
  readonly recordedAs: number | null;
}

/** How an activity ended. */
export type Resolution =
  | { readonly kind: 'completed'; readonly result: Payload | null }
  | { readonly kind: 'failed' | 'cancelled'; readonly cause: temporal.api.failure.v1.IFailure };

/** What one workflow task brought. */
export interface Performed {
  readonly events: readonly TrailEvent[];
  /** It asked for just what the record says it asked for. */
  readonly isAsRecorded: boolean;
}

/**
 * The part of a Temporal server: keeps what the workflow waits for, and turns what happened into what it is told. All
 * of it is in memory, and nothing that the workflow asks for is carried out here.
 */
export class Stage {
  readonly activities = new Map<number, PendingActivity>();
  readonly timers = new Map<number, PendingTimer>();
  readonly signals = new Map<number, PendingSignal>();

  constructor(private readonly sandbox: Sandbox) {}

  /** One workflow task. `asked`: what it asked for in the record, in order; `null`: there is no record of it. */
  async perform(jobs: readonly Job[], moment: Moment, asked: readonly HistoryEvent[] | null): Promise<Performed> {
    const events: TrailEvent[] = [];
    const commands: Command[] = [];
    for (let next = jobs; ; ) {
      const activated = await this.sandbox.activate(next, moment);
      events.push(...activated.events);
      commands.push(...activated.commands);
      next = this.cancelledAtOnce(activated.commands, commands);
      if (next.length === 0) break;
    }
    return { events, isAsRecorded: this.register(commands, moment.at, asked ?? []) };
  }

  resolveActivity({ seq, name }: PendingActivity, resolution: Resolution): Job {
    this.activities.delete(seq);
    return { resolveActivity: { seq, result: resultOf(name, resolution) } };
  }

  fireTimer({ seq }: Pick<PendingTimer, 'seq'>): Job {
    this.timers.delete(seq);
    return { fireTimer: { seq } };
  }

  resolveSignal({ seq }: PendingSignal, failure: string | null): Job {
    this.signals.delete(seq);
    return { resolveSignalExternalWorkflow: { seq, ...(failure === null ? {} : { failure: { message: failure } }) } };
  }

  /** Cancelled without waiting for it: the workflow hears of it within the same task. */
  private cancelledAtOnce(now: readonly Command[], all: readonly Command[]): Job[] {
    return now.flatMap(({ requestCancelActivity }) => {
      if (!requestCancelActivity) return [];
      const seq = Number(requestCancelActivity.seq);
      const scheduled = all.find(({ scheduleActivity }) => Number(scheduleActivity?.seq) === seq)?.scheduleActivity;
      const name = this.activities.get(seq)?.name ?? scheduled?.activityType ?? '';
      if (this.awaited.has(seq)) return [];
      this.activities.delete(seq);
      return [{ resolveActivity: { seq, result: resultOf(name, CANCELLED) } }];
    });
  }

  /** Activities whose end is waited for when they are cancelled. */
  private readonly awaited = new Set<number>();

  private register(commands: readonly Command[], at: number, asked: readonly HistoryEvent[]): boolean {
    const gone = new Set(commands.flatMap((c) => (c.cancelTimer ? [`timer ${c.cancelTimer.seq}`] : [])));
    for (const { cancelTimer } of commands) if (cancelTimer) this.timers.delete(Number(cancelTimer.seq));
    const kept = commands.filter(({ startTimer }) => !startTimer || !gone.has(`timer ${startTimer.seq}`));
    const recorded = [...asked];
    let isAsRecorded = true;
    for (const command of kept) {
      if (!isWaitedFor(command)) continue;
      const match = recorded.shift();
      const fits = match !== undefined && isOf(command, match);
      if (!fits) isAsRecorded = false;
      this.waitFor(command, at, fits && isAsRecorded ? Number(match.eventId) : null);
    }
    return isAsRecorded && recorded.length === 0;
  }

  private waitFor(
    { scheduleActivity, startTimer, signalExternalWorkflowExecution }: Command,
    at: number,
    recordedAs: number | null,
  ) {
    if (scheduleActivity) {
      const seq = Number(scheduleActivity.seq);
      if (scheduleActivity.cancellationType === WAIT_FOR_IT) this.awaited.add(seq);
      const input = decoded(scheduleActivity.arguments?.[0]);
      this.activities.set(seq, { seq, name: scheduleActivity.activityType ?? '', input, recordedAs });
    }
    if (startTimer) {
      const seq = Number(startTimer.seq);
      this.timers.set(seq, { seq, dueAt: at + msOf(startTimer.startToFireTimeout), recordedAs });
    }
    const seq = signalExternalWorkflowExecution?.seq;
    if (seq !== undefined && seq !== null) this.signals.set(Number(seq), { seq: Number(seq), recordedAs });
  }
}

const isWaitedFor = (command: Command): boolean =>
  Boolean(command.scheduleActivity ?? command.startTimer ?? command.signalExternalWorkflowExecution);

/** Looks are asked side by side, so there their calls must be the same, too. */
function isOf(command: Command, event: HistoryEvent): boolean {
  const scheduled = event.activityTaskScheduledEventAttributes;
  if (command.scheduleActivity) {
    const name = command.scheduleActivity.activityType;
    if (name !== scheduled?.activityType?.name) return false;
    const [mine, recorded] = [command.scheduleActivity.arguments?.[0], scheduled?.input?.payloads?.[0]];
    return name !== 'look' || textOf(mine) === textOf(recorded);
  }
  if (command.startTimer) return Boolean(event.timerStartedEventAttributes);
  return Boolean(event.signalExternalWorkflowExecutionInitiatedEventAttributes);
}

const textOf = (payload: Payload | null | undefined): string => Buffer.from(payload?.data ?? []).toString('utf8');

/** coresdk's WAIT_CANCELLATION_COMPLETED. */
const WAIT_FOR_IT = 1;

const CANCELLED: Resolution = { kind: 'cancelled', cause: { message: 'cancelled', canceledFailureInfo: {} } };

function resultOf(name: string, resolution: Resolution): coresdk.activity_result.IActivityResolution {
  if (resolution.kind === 'completed') return { completed: { result: resolution.result } };
  const { kind, cause } = resolution;
  const failure = {
    message: kind === 'cancelled' ? 'Activity cancelled' : 'Activity task failed',
    cause,
    activityFailureInfo: { activityType: { name }, activityId: '' },
  };
  return kind === 'cancelled' ? { cancelled: { failure } } : { failed: { failure } };
}

export const signalJob = (name: string, args: readonly Payload[]): Job => ({
  signalWorkflow: { signalName: name, input: [...args], headers: {} },
});

export const updateJob = ({ id, name, args }: Accepted): Job => ({
  doUpdate: {
    id,
    protocolInstanceId: id,
    name,
    input: [...args],
    headers: {},
    meta: { updateId: id, identity: '' },
    runValidator: true,
  },
});

export const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload(value);
