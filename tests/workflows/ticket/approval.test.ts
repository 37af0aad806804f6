import { describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import { type Decision, MESSAGES, type TicketStatus } from '../../../workflows/contract.js';
import { withTemporal } from '../../support/temporal.js';
import { until } from '../../support/until.js';
import { activityDoubles, noCounts, thought, ticketInput } from '../ticket-double.js';
import { type Handle, inPhase, status, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

describe('a ticket that needs a person', () => {
  const decision = (now: TicketStatus, part: Partial<Decision> = {}): Decision => ({
    proposal: now.pending!.proposal.id,
    answer: 'approve',
    by: 'ana',
    note: 'go',
    basisHash: now.pending!.basisHash,
    ...part,
  });
  const decide = (ticket: Handle, what: Decision) =>
    ticket.executeUpdate<string, [Decision]>(MESSAGES.decide, { args: [what] });
  const refusal = async (promise: Promise<unknown>) => {
    const error = await promise.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WorkflowUpdateFailedError);
    return ((error as WorkflowUpdateFailedError).cause as ApplicationFailure).type;
  };

  it('runs nothing before the answer, and what was approved after it', async () => {
    const counts = noCounts();
    await withTicket(
      temporal,
      { activities: activityDoubles(counts, { ruling: 'needs-approval' }) },
      async (ticket) => {
        const now = await inPhase(ticket, 'awaiting-approval');
        await until('a person is told', async () => counts.notices.includes('needs-you') || undefined);
        expect(counts).toMatchObject({ acts: 0, gates: 0 });
        expect(await decide(ticket, decision(now))).toBe('#1 approve: accepted');
        expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      },
    );
    expect(counts.acts).toBe(1);
  });

  it('refuses an answer to anything but the pending proposal and its basis, and leaves no event of it', async () => {
    await withTicket(
      temporal,
      { activities: activityDoubles(noCounts(), { ruling: 'needs-approval' }) },
      async (ticket) => {
        const now = await inPhase(ticket, 'awaiting-approval');
        const before = (await trail(ticket)).length;
        expect(await refusal(decide(ticket, decision(now, { proposal: 'other' as Decision['proposal'] })))).toBe(
          'MEDIC_DECIDE_STALE',
        );
        expect(await refusal(decide(ticket, decision(now, { basisHash: 'other' })))).toBe('MEDIC_DECIDE_STALE');
        expect(await refusal(decide(ticket, { answer: 'approve' } as Decision))).toBe('MEDIC_DECIDE_SHAPE');
        expect(await refusal(decide(ticket, decision(now, { answer: 'yes' as Decision['answer'] })))).toBe(
          'MEDIC_DECIDE_SHAPE',
        );
        expect((await trail(ticket)).length).toBe(before);
        await ticket.signal(MESSAGES.decide, decision(now, { basisHash: 'other' }));
        await until(
          'the stale signal',
          async () => ((await trail(ticket)).some((e) => e.type === 'stale') ? true : undefined),
          {
            deadlineMs: 10_000,
          },
        );
        expect((await status(ticket)).phase).toBe('awaiting-approval');
        await ticket.signal(MESSAGES.decide, decision(now));
        expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
        await expect(decide(ticket, decision(now))).rejects.toThrow(/completed/);
      },
    );
  });

  it('takes a denial back to the reasoner with its words', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    const seen: (readonly string[])[] = [];
    const think = activities.think;
    activities.think = async (input) => {
      seen.push(input.digest.refusals);
      return input.digest.refusals.length > 0 ? thought({ kind: 'escalate', why: 'denied' }, true) : think(input);
    };
    await withTicket(temporal, { activities }, async (ticket) => {
      await decide(
        ticket,
        decision(await inPhase(ticket, 'awaiting-approval'), { answer: 'deny', note: 'not during the upgrade' }),
      );
      const now = await inPhase(ticket, 'escalated');
      expect(now.brief).toContain('not during the upgrade');
      expect(seen.at(-1)).toEqual(['#1 was denied by ana: not during the upgrade']);
      await ticket.signal(MESSAGES.close, { by: 'ana', reason: 'done by hand' });
      expect(await ticket.result()).toMatchObject({ phase: 'closed-by-person' });
    });
    expect(counts.acts).toBe(0);
  });

  it('never takes no answer for a yes: the proposal expires', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    const think = activities.think;
    activities.think = async (input) =>
      input.digest.proposals.some((p) => p.end === 'expired')
        ? thought({ kind: 'escalate', why: 'nobody answered' }, true)
        : think(input);
    await withTicket(
      temporal,
      { activities, input: ticketInput({ expireMs: 3_000, remindMs: 200 }) },
      async (ticket) => {
        await inPhase(ticket, 'escalated');
        await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'enough' });
        expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
      },
    );
    expect(counts.acts).toBe(0);
    expect(counts.notices).toContain('reminder');
  });
});
