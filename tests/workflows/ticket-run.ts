import type { WorkflowHandle } from '@temporalio/client';
import { ticketWorkflowId } from '../../src/domain/ids.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import { QUERIES, type TicketInput, type TicketResult, type TicketStatus } from '../../workflows/contract.js';
import type { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { type AllActivities, ticketInput } from './ticket-double.js';

export type Handle = WorkflowHandle & { result(): Promise<TicketResult> };

/** Starts a ticket on doubles and hands it to the test. */
export async function withTicket<T>(
  temporal: ReturnType<typeof withTemporal>,
  { activities, input = ticketInput() }: { activities: AllActivities; input?: TicketInput },
  work: (ticket: Handle) => Promise<T>,
): Promise<T> {
  return temporal.withWorker(activities, async (queue) => work(await startTicket(temporal, { input, queue })));
}

/** Starts a ticket on a queue, whether a worker runs there or not. */
export async function startTicket(
  { client }: ReturnType<typeof withTemporal>,
  { input, queue }: { readonly input: TicketInput; readonly queue: string },
): Promise<Handle> {
  const workflowId = ticketWorkflowId(input.filing.id);
  return (await client.workflow.start('ticket', { workflowId, taskQueue: queue, args: [input] })) as Handle;
}

export const status = (ticket: Handle) => ticket.query<TicketStatus>(QUERIES.status);
export const trail = (ticket: Handle) => ticket.query<TrailEvent[]>(QUERIES.trail);
export const inPhase = (ticket: Handle, phase: string) =>
  until(
    `ticket in phase ${phase}`,
    async () => {
      const now = await status(ticket);
      return now.phase === phase ? now : undefined;
    },
    { deadlineMs: 20_000, everyMs: 100 },
  );
export const moves = (events: readonly TrailEvent[]) => events.flatMap((e) => (e.type === 'moved' ? [e.why] : []));
