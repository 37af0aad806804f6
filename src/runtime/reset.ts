import { randomUUID } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { deskId, type Hint, MESSAGES, type Reopened, type TicketStatus } from '../../workflows/contract.js';
import { MedicError } from '../domain/errors.js';
import { subjectOf, ticketWorkflowId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import type { History } from './history.js';

const { RESET_REAPPLY_EXCLUDE_TYPE_UPDATE: UPDATES, RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL: SIGNALS } =
  temporal.api.enums.v1.ResetReapplyExcludeType;

/** Phases in which a command may be running on a host. */
const ACTING: readonly string[] = ['remediating', 'undoing'];

export interface ResetRequest {
  readonly client: Client;
  readonly status: TicketStatus;
  /** The turn that is done again, from its look at the picture on. */
  readonly turn: number;
  readonly hint: Hint;
}

/**
 * Takes a ticket back to one of its turns, open or closed: what was decided before stands, everything from there on is done
 * again, on facts of today. No earlier approval counts: they are left out, and proposals get ids of their own. Of a
 * closed ticket the earlier signals are left out as well, as the abort that ended it would end it again.
 *
 * @returns the new run's id
 * @throws MedicError `MEDIC_RESET_ACTING` while it acts, `MEDIC_RESET_TURN` if this run has no such turn
 */
export async function resetTicket({ client, status, turn, hint }: ResetRequest): Promise<string> {
  const { ticket, phase } = status;
  if (ACTING.includes(phase)) throw new MedicError('MEDIC_RESET_ACTING', `${ticket} is ${phase}`);
  const workflowId = ticketWorkflowId(ticket);
  const before = client.workflow.getHandle(workflowId);
  const eventId = resetPoint(await before.fetchHistory(), turn);
  const wasClosed = isClosed(phase as Phase);
  if (!wasClosed) await before.signal(MESSAGES.hint, hint);
  const { runId } = await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    reason: `turn ${turn} again, by ${hint.by}: ${hint.text}`,
    workflowTaskFinishEventId: eventId,
    requestId: randomUUID(),
    resetReapplyExcludeTypes: wasClosed ? [UPDATES, SIGNALS] : [UPDATES],
  });
  if (wasClosed) {
    await client.workflow.getHandle(workflowId).signal(MESSAGES.hint, hint);
    await tellDesk(client, status);
  }
  return runId;
}

/** The desk had closed the ticket; from now on it hears again what belongs to it. Without a desk nobody files anything. */
async function tellDesk(client: Client, { ticket, openedAt }: TicketStatus): Promise<void> {
  const reopened: Reopened = { ticket, openedAt };
  try {
    await client.workflow.getHandle(deskId(subjectOf(ticket))).signal(MESSAGES.reopened, reopened);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

type Event = NonNullable<History['events']>[number];

/**
 * The end of the workflow task that looked at the picture in this turn. Not of the one before it, which opened the turn:
 * the answer of a person may have been taken in that task, and would be lost with it (measured on a real server).
 */
function resetPoint({ events }: History, turn: number): Event['eventId'] {
  const turns = new Map<number, Event['eventId']>();
  let opened = 0;
  for (const { activityTaskScheduledEventAttributes: scheduled } of events ?? []) {
    const payload = scheduled?.input?.payloads?.[0];
    if (scheduled?.activityType?.name === 'openTurn' && payload)
      opened = defaultPayloadConverter.fromPayload<{ turn: number }>(payload).turn;
    if (scheduled?.activityType?.name === 'lookAtPicture') turns.set(opened, scheduled.workflowTaskCompletedEventId);
  }
  const found = turns.get(turn);
  if (found) return found;
  const known = [...turns.keys()].join(', ') || 'none';
  throw new MedicError('MEDIC_RESET_TURN', `there is no turn ${turn}; its turns are ${known}`);
}
