import { describe, expect, it } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { LeaseAnswer, LeaseRequest } from '../../src/domain/desk.js';
import { ticketId, ticketWorkflowId } from '../../src/domain/ids.js';
import type { Violation } from '../../src/domain/violation.js';
import { createDeskClient } from '../../src/runtime/desk-client.js';
import { deskId, MESSAGES, QUERIES, type TicketStatus } from '../../workflows/contract.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { type DeskRun, withDesk as runDesk } from './desk-run.js';
import { violation } from './ticket-double.js';

const temporal = withTemporal();
let subjects = 0;

/** `status` waits for the ticket's workflow: the desk lists a ticket before it starts it. */
type Desk = DeskRun & { status(number: number): Promise<TicketStatus> };

function withDesk<T>(work: (desk: Desk) => Promise<T>): Promise<T> {
  subjects += 1;
  const subject = `subject-${subjects}`;
  return runDesk(temporal, { subject, firstNumber: 7 }, (desk) =>
    work({
      ...desk,
      status: (number) => {
        const ticket = temporal.client.workflow.getHandle(ticketWorkflowId(ticketId(subject, number)));
        return until('the ticket to run', () => ticket.query<TicketStatus>(QUERIES.status).catch(notYet), {
          deadlineMs: 20_000,
        });
      },
    }),
  );
}

function notYet(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

const client = () =>
  createDeskClient({
    client: temporal.client,
    taskQueue: 'unused',
    recurrenceMs: 600_000,
    firstNumber: async () => 1,
    now: Date.now,
  });

const reach = violation();
const up = violation('store-up');
const pending = violation('regions-no-pending-peer', null);

describe('the desk', () => {
  it('tells which tickets are open, and none when it is not there to answer', async () => {
    await withDesk(async (desk) => {
      await desk.report([reach]);
      await desk.settled('one ticket', (state) => state.tickets.length === 1);
      const open = [{ ticket: ticketId(desk.subject, 7), target: 'tikv-2' }];
      expect(await client().openTickets(desk.subject)).toEqual(open);
      await desk.status(7);
      await temporal.client.workflow
        .getHandle(ticketWorkflowId(ticketId(desk.subject, 7)))
        .signal(MESSAGES.close, { by: 'ana', reason: 'x' });
      await desk.settled('a quiet ticket', (state) => state.tickets.every((ticket) => ticket.quiet));
      expect(await client().openTickets(desk.subject)).toEqual([]);
    });
    expect(await client().openTickets('nobody')).toEqual([]);
  });

  it('files one ticket for one target, numbers it after the archive, and attaches what follows', async () => {
    await withDesk(async (desk) => {
      await desk.report([reach]);
      await desk.report([reach]);
      await desk.report([reach, up, pending]);
      const state = await desk.settled(
        'three violations on one ticket',
        ({ tickets }) => tickets[0]?.active.length === 3,
      );
      expect(state.tickets.map((t) => t.id)).toEqual([ticketId(desk.subject, 7)]);
      const status = await until(
        'the ticket to hear of them',
        async () => {
          const now = await desk.status(7);
          return now.violations.length === 3 ? now : undefined;
        },
        { deadlineMs: 10_000 },
      );
      expect(status.symptom).toBe(reach.message);
      const described = await temporal.client.workflow
        .getHandle(ticketWorkflowId(ticketId(desk.subject, 7)))
        .describe();
      expect(await described.staticSummary()).toBe(`${desk.subject}/7: ${reach.message}`);
      expect(described.raw.workflowExecutionInfo?.parentExecution?.workflowId).toBe(deskId(desk.subject));
    });
  });

  it('does nothing on a repeated or late report of the same watch', async () => {
    await withDesk(async (desk) => {
      await desk.report([reach]);
      await desk.settled('the ticket', ({ tickets }) => tickets.length === 1);
      await desk.report([up, violation('store-up', 'tikv-3')], { seq: 1 });
      await desk.report([reach], { seq: 5 });
      const state = await desk.settled('the later report', ({ lastReport }) => lastReport?.seq === 5);
      expect(state.tickets).toHaveLength(1);
      expect(state.tickets[0]?.active).toHaveLength(1);
    });
  });

  it('tells the ticket what cleared, which then closes by itself', async () => {
    await withDesk(async (desk) => {
      await desk.report([reach]);
      await desk.settled('the ticket', ({ tickets }) => tickets.length === 1);
      await desk.report([], { judged: ['store-reachable'] });
      await desk.settled('the desk to be empty', ({ tickets }) => tickets.length === 0);
      expect((await desk.status(7)).phase).toBe('self-cleared');
    });
  });

  it('does not file again what a person closed while it goes on, until it has cleared once', async () => {
    await withDesk(async (desk) => {
      await desk.report([reach]);
      await desk.settled('the ticket', ({ tickets }) => tickets.length === 1);
      const ticket = temporal.client.workflow.getHandle(ticketWorkflowId(ticketId(desk.subject, 7)));
      await desk.status(7);
      await ticket.signal(MESSAGES.close, { by: 'ana', reason: 'known' });
      await desk.settled('the ticket to be quiet', ({ tickets }) => tickets[0]?.quiet === true);
      await desk.report([reach, up]);
      await desk.report([reach, up], { seq: 20 });
      const still = await desk.settled('the report', ({ lastReport }) => lastReport?.seq === 20);
      expect(still.tickets).toMatchObject([{ id: ticketId(desk.subject, 7), active: [reach, up] }]);
      await desk.report([], { seq: 21, judged: ['store-reachable', 'store-up'] });
      await desk.report([reach], { seq: 22 });
      const state = await desk.settled('a new ticket', ({ tickets }) => tickets.some((t) => !t.quiet));
      expect(state.tickets[0]?.id).toBe(ticketId(desk.subject, 8));
    });
  });

  it('takes a ticket that somebody terminated for decided on, and goes on', async () => {
    await withDesk(async (desk) => {
      await desk.report([reach]);
      await desk.settled('the ticket', ({ tickets }) => tickets.length === 1);
      await desk.status(7);
      await temporal.client.workflow.getHandle(ticketWorkflowId(ticketId(desk.subject, 7))).terminate('by hand');
      await desk.report([reach, up]);
      const state = await desk.settled('the ticket to be quiet', ({ tickets }) => tickets[0]?.quiet === true);
      expect(state.tickets).toMatchObject([{ id: ticketId(desk.subject, 7), active: [reach, up] }]);
    });
  });

  it('grants one lease at a time and none while it is frozen', async () => {
    await withDesk(async (desk) => {
      await desk.report([]);
      const ask = (run: string) =>
        desk.handle.executeUpdate<LeaseAnswer, [LeaseRequest]>(MESSAGES.lease, {
          args: [
            {
              run,
              ticket: ticketId(desk.subject, 1),
              target: 'tikv-2',
              action: 'start-store',
              key: run,
              forMs: 60_000,
              rate: null,
            },
          ],
        });
      expect((await ask('a')).granted).toBe(true);
      expect(await ask('b')).toMatchObject({ granted: false, why: 'held' });
      expect((await ask('a')).granted).toBe(true);
      await desk.handle.signal(MESSAGES.release, { run: 'a' });
      await desk.handle.signal(MESSAGES.freeze, { by: 'ana', reason: 'upgrade' });
      expect(await ask('b')).toEqual({ granted: false, why: 'frozen', reason: 'frozen by ana: upgrade' });
      await desk.handle.signal(MESSAGES.unfreeze, { by: 'ana' });
      expect((await ask('b')).granted).toBe(true);
    });
  });
});

describe('a desk that hears of alerts beside its patrol', () => {
  const alarm = { ...violation('alert:TiKV_down'), fingerprint: 'alarm' };
  const fromOutside = (active: readonly Violation[], cleared: readonly string[] = []) =>
    [active, { watch: 'alertmanager', seq: 0, cleared }] as const;

  it('files, attaches and clears them by themselves, and what the patrol tells is as it was', async () => {
    await withDesk(async (desk) => {
      await desk.report(...fromOutside([alarm]));
      await desk.report(...fromOutside([alarm]));
      await desk.report([reach]);
      await desk.report([reach], { judged: ['store-reachable', 'store-up'] });
      const both = await desk.settled(
        'one ticket with both, after the last report of the patrol',
        ({ tickets, lastReport }) => tickets[0]?.active.length === 2 && lastReport?.seq === 4,
      );
      expect(both.tickets).toHaveLength(1);
      const { lastReport } = both;

      await desk.report(...fromOutside([], ['alarm']));
      const own = await desk.settled('the alarm cleared', ({ tickets }) => tickets[0]?.active.length === 1);
      expect(own.tickets[0]?.active).toMatchObject([{ invariant: 'store-reachable' }]);
      expect(own.lastReport).toEqual(lastReport);

      await desk.report(...fromOutside([alarm]));
      await desk.settled('the alarm is back', ({ tickets }) => tickets[0]?.active.length === 2);
      await desk.report([], { judged: ['store-reachable'] });
      const left = await desk.settled('only the alarm', ({ tickets }) => tickets[0]?.active.length === 1);
      expect(left.tickets[0]?.active).toMatchObject([{ fingerprint: 'alarm' }]);
    });
  });
});
