import { describe, expect, it } from '@jest/globals';
import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { fetchHistoryText } from '../../../src/runtime/history.js';
import { MESSAGES } from '../../../workflows/contract.js';
import { playedAgain } from '../../support/played-again.js';
import { withTemporal } from '../../support/temporal.js';
import { until } from '../../support/until.js';
import { type AllActivities, activityDoubles, type Counts, noCounts } from '../ticket-double.js';
import { inPhase, moves, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

describe('a ticket whose act is in doubt', () => {
  const lost = (counts: Counts, done: 'yes' | 'no'): AllActivities => {
    const activities = activityDoubles(counts);
    activities.act = async () => {
      counts.acts += 1;
      throw ApplicationFailure.nonRetryable('the worker was lost');
    };
    activities.settle = async () => ({ journal: 'j', entry: 'finished', exit: 0, done, reason: `the effect: ${done}` });
    return activities;
  };

  it('looks instead of repeating, and goes on to the proof when the effect is there', async () => {
    const counts = noCounts();
    const { result, events } = await withTicket(temporal, { activities: lost(counts, 'yes') }, async (ticket) => ({
      result: await ticket.result(),
      events: await trail(ticket),
    }));
    expect(result.phase).toBe('resolved');
    expect(counts.acts).toBe(1);
    expect(events.flatMap((e) => (e.type === 'acted' ? [e.outcome] : []))).toEqual(['unknown']);
  });

  it('goes back to the reasoner when nothing happened, with a fresh proposal id for the next try', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    const act = activities.act;
    const ids: string[] = [];
    activities.act = async (input) => {
      ids.push(input.proposal);
      if (ids.length > 1) return act(input);
      throw ApplicationFailure.nonRetryable('the worker was lost before it began');
    };
    const { result, events } = await withTicket(temporal, { activities }, async (ticket) => ({
      result: await ticket.result(),
      events: await trail(ticket),
    }));
    expect(result.phase).toBe('resolved');
    expect(moves(events)).toContain('notRun');
    expect(new Set(ids).size).toBe(2);
  });

  it('stops the command on an abort that kills, waits until it is gone, and keeps no lease', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    let ended = false;
    activities.act = async () => {
      counts.acts += 1;
      const timer = setInterval(() => heartbeat(), 100);
      try {
        return await Context.current().cancelled;
      } finally {
        clearInterval(timer);
        ended = true;
      }
    };
    await withTicket(temporal, { activities }, async (ticket) => {
      await until('the act', async () => (counts.acts === 1 ? true : undefined), { deadlineMs: 20_000 });
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'wrong store', kill: true });
      expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
      expect(ended).toBe(true);
      // What a what-if takes for what a server does must hold for a cancelled act, too.
      const history = await fetchHistoryText(temporal.client, ticket.workflowId);
      expect(await playedAgain(history)).toEqual(await trail(ticket));
    });
    expect(counts.releases).toBeGreaterThan(0);
    expect(counts.acts).toBe(1);
  });
});

describe('a ticket whose facts or gate change', () => {
  it('is judged anew when the facts changed under the plan, and a person is told when that does not end', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    activities.act = async () => ({
      outcome: 'refused',
      journal: 'j',
      reason: 'the facts changed',
      changes: ['process: exited -> running'],
    });
    await withTicket(temporal, { activities }, async (ticket) => {
      const now = await inPhase(ticket, 'escalated');
      expect(now.brief).toContain('process: exited -> running');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
    expect(counts.judged).toBe(6);
  });

  it('waits while the subject is frozen and acts when it is open again', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    const gate = activities.gate;
    let asked = 0;
    activities.gate = async (request) => {
      asked += 1;
      return asked < 4 ? { granted: false, why: 'frozen', reason: 'frozen by ana' } : gate(request);
    };
    const events = await withTicket(temporal, { activities }, async (ticket) => {
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      return trail(ticket);
    });
    expect(asked).toBe(4);
    expect(counts.acts).toBe(1);
    expect(events.flatMap((e) => (e.type === 'gate' ? [e.granted] : []))).toEqual([false, true]);
  });

  it('asks a person when the rate of a pre-approval is used up', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    const judge = activities.judge;
    activities.gate = async () => ({ granted: false, why: 'rate', reason: 'start-store ran 2 times' });
    activities.judge = async (input) => {
      const judged = await judge(input);
      return counts.judged === 1 ? judged : { ...judged, ruling: { kind: 'needs-approval', reason: 'rate used up' } };
    };
    await withTicket(temporal, { activities }, async (ticket) => {
      expect((await inPhase(ticket, 'awaiting-approval')).pending?.ruling?.reason).toBe('rate used up');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
    expect(counts.acts).toBe(0);
  });
});
