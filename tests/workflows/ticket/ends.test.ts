import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { MESSAGES } from '../../../workflows/contract.js';
import { withTemporal } from '../../support/temporal.js';
import { until } from '../../support/until.js';
import { activityDoubles, noCounts, thought, ticketInput, violation } from '../ticket-double.js';
import { inPhase, moves, status, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

describe('a ticket without a repair', () => {
  it('closes by itself only after the clear held, and only if nothing was done', async () => {
    const activities = activityDoubles(noCounts());
    activities.think = async () => thought({ kind: 'escalate', why: 'no rule' }, false);
    await withTicket(temporal, { activities }, async (ticket) => {
      await inPhase(ticket, 'escalated');
      await ticket.signal(MESSAGES.sighting, { at: new Date().toISOString(), added: [], cleared: [violation()] });
      expect(await ticket.result()).toMatchObject({ phase: 'self-cleared' });
    });
  });

  it('escalates with a usable brief when it reaches a limit, and a hint wakes it', async () => {
    const activities = activityDoubles(noCounts());
    activities.think = async () =>
      thought({ kind: 'look', why: 'again', calls: [{ kind: 'shell', host: 'lab', command: 'labctl ps' }] }, false);
    await withTicket(temporal, { activities, input: ticketInput({}, { turns: 3 }) }, async (ticket) => {
      const now = await inPhase(ticket, 'escalated');
      expect(now.spent.turns).toBe(3);
      expect(now.brief).toContain('the limit of 3 turns is reached');
      expect(now.brief).toContain('e2 lab$ labctl ps');
      await ticket.signal(MESSAGES.hint, { by: 'ana', text: 'look at the disk' });
      await until('the hint', async () => (moves(await trail(ticket)).includes('hinted') ? true : undefined), {
        deadlineMs: 10_000,
      });
      await ticket.signal(MESSAGES.close, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
  });

  it('is archived when it is handed over, for a person may come after the server is gone, and again at its end', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    activities.think = async () => thought({ kind: 'escalate', why: 'no rule' }, false);
    await withTicket(temporal, { activities }, async (ticket) => {
      await until('the archive', async () => counts.archived[0], { deadlineMs: 10_000 });
      expect(counts.archived[0]).toMatch(/^# tikv\/\d+: escalated\n[\s\S]*needs a person: no rule/);
      await ticket.signal(MESSAGES.close, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
    expect(counts.archived.map((report) => report.split('\n')[0])).toEqual([
      expect.stringMatching(/: escalated$/),
      expect.stringMatching(/: closed-by-person$/),
    ]);
  });

  it('hears a person although what is handed over cannot be archived', async () => {
    const activities = activityDoubles(noCounts());
    let tries = 0;
    activities.think = async ({ digest }) =>
      thought({ kind: 'escalate', why: digest.hints.length > 0 ? 'still no rule' : 'no rule' }, false);
    activities.archive = async () => {
      tries += 1;
      throw new Error('no room');
    };
    await withTicket(temporal, { activities }, async (ticket) => {
      await until('a try', async () => (tries > 0 ? true : undefined), { deadlineMs: 10_000 });
      await ticket.signal(MESSAGES.hint, { by: 'ana', text: 'look again' });
      await until(
        'the hint',
        async () => ((await status(ticket)).brief?.includes('still no rule') ? true : undefined),
        {
          deadlineMs: 10_000,
        },
      );
      activities.archive = async () => ({ path: 'tickets/tikv-1.md' });
      await ticket.terminate('its end cannot be archived either');
    });
  });

  it('escalates when policy refuses three times, and when thinking fails for good', async () => {
    const forbidden = activityDoubles(noCounts(), { ruling: 'forbidden' });
    await withTicket(temporal, { activities: forbidden }, async (ticket) => {
      expect((await inPhase(ticket, 'escalated')).brief).toContain('policy refused 3 proposals');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
    const broken = activityDoubles(noCounts());
    broken.think = async () => {
      throw ApplicationFailure.nonRetryable('no key');
    };
    await withTicket(temporal, { activities: broken }, async (ticket) => {
      expect((await inPhase(ticket, 'escalated')).brief).toContain('thinking failed: no key');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
  });
});
