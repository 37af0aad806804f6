import { describe, expect, it } from '@jest/globals';
import type { Expectation } from '../../../src/domain/expectation.js';
import { evidenceId, ticketId } from '../../../src/domain/ids.js';
import type { NextStep } from '../../../src/domain/next-step.js';
import { MESSAGES } from '../../../workflows/contract.js';
import { withTemporal } from '../../support/temporal.js';
import { type AllActivities, activityDoubles, noCounts, thought, ticketInput, violation } from '../ticket-double.js';
import { inPhase, status, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

type Conclude = Extract<NextStep, { kind: 'conclude' }>;
const claim = (conclusion: Conclude['conclusion'], part: Partial<Conclude> = {}): Conclude => ({
  kind: 'conclude',
  conclusion,
  why: 'so it is',
  evidence: [evidenceId(1)],
  ...part,
});

/** Claims one thing after the other, then hands over; `refusals` gets what came back for each. */
function claiming(activities: AllActivities, claims: readonly Conclude[]): { readonly refusals: string[] } {
  const refusals: string[] = [];
  activities.think = async ({ digest }) => {
    refusals.push(...digest.refusals.slice(-1));
    return thought(claims[digest.turn - 1] ?? { kind: 'escalate', why: 'nothing was accepted' }, false);
  };
  return { refusals };
}

const handedOver = (activities: AllActivities, input = ticketInput()) =>
  withTicket(temporal, { activities, input }, async (ticket) => {
    const now = await inPhase(ticket, 'escalated');
    await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
    await ticket.result();
    return now;
  });

const STOPPED: Expectation = { kind: 'planned-stop', target: 'tikv-2', reason: 'tikv-2 exited 0, stopped by request' };
const withPicture = (activities: AllActivities, part: object) => {
  const { lookAtPicture } = activities;
  activities.lookAtPicture = async (input) => ({ ...(await lookAtPicture(input)), ...part });
};

describe('a conclusion', () => {
  it('needs evidence of the ticket, and nothing broken to be called transient', async () => {
    const activities = activityDoubles(noCounts());
    withPicture(activities, { expected: [STOPPED] });
    const { refusals } = claiming(activities, [
      claim('transient', { evidence: [evidenceId(77)] }),
      claim('transient'),
      claim('expected', { expectation: 'planned-stop', why: 'a person stopped it' }),
    ]);
    await withTicket(temporal, { activities }, async (ticket) => {
      expect(await ticket.result()).toMatchObject({ phase: 'no-fault' });
    });
    expect(refusals).toEqual([
      'a conclusion must cite evidence of this ticket',
      'not transient: tikv-2: store-reachable',
    ]);
  });

  it('of a fault of the monitoring is a person’s while it still shows', async () => {
    const activities = activityDoubles(noCounts());
    const { refusals } = claiming(activities, [claim('monitoring-fault')]);
    await handedOver(activities);
    expect(refusals).toEqual([
      'a monitoring fault: tikv-2: store-reachable: a person has to confirm it while it still shows; escalate',
    ]);
  });
});

describe('what is called expected', () => {
  it('closes no real outage: it goes back unless this very picture shows it', async () => {
    const activities = activityDoubles(noCounts());
    const { refusals } = claiming(activities, [
      claim('expected'),
      claim('expected', { expectation: 'planned-stop' }),
      claim('expected', { expectation: 'cold-start' }),
    ]);
    const now = await handedOver(activities);
    expect(now.brief).toContain('nothing was accepted');
    expect(refusals).toEqual([
      '`expected` must say which expectation: planned-stop, cold-start or even-by-score',
      'not expected: the picture shows no planned-stop of tikv-2',
      'not expected: the picture shows no cold-start of tikv-2',
    ]);
  });

  it('explains nothing else that is broken', async () => {
    const activities = activityDoubles(noCounts());
    withPicture(activities, { expected: [STOPPED], broken: [violation(), violation('store-up', 'tikv-0')] });
    const { refusals } = claiming(activities, [claim('expected', { expectation: 'planned-stop' })]);
    await handedOver(activities);
    expect(refusals).toEqual(['planned-stop does not explain: tikv-0: store-up']);
  });

  it('ends a true one without a repair, with what code saw, and the reasoner was shown it', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    withPicture(activities, { expected: [STOPPED] });
    const shown: (readonly Expectation[])[] = [];
    activities.think = async ({ digest }) => {
      shown.push(digest.expected);
      return thought(claim('expected', { expectation: 'planned-stop', why: 'maintenance' }), false);
    };
    await withTicket(temporal, { activities }, async (ticket) => {
      expect(await ticket.result()).toMatchObject({ phase: 'no-fault' });
      expect((await trail(ticket)).find((e) => e.type === 'concluded')).toMatchObject({
        why: 'maintenance (checked: planned-stop: tikv-2 exited 0, stopped by request)',
      });
    });
    expect(shown).toEqual([[STOPPED]]);
    expect(counts.acts).toBe(0);
  });
});

describe('what is called a duplicate', () => {
  /** The second ticket about tikv-2, so that another one can be older. */
  const input = () => {
    const { filing, ...rest } = ticketInput();
    return { ...rest, filing: { ...filing, id: ticketId('tikv', Number(filing.id.split('/')[1]) + 1_000) } };
  };
  const older = { ticket: ticketId('tikv', 900), target: 'tikv-2' };

  it('is none of a ticket that is closed, or about something else', async () => {
    const activities = activityDoubles(noCounts());
    const { openTurn } = activities;
    activities.openTurn = async (turn) => ({ ...(await openTurn(turn)), others: [{ ...older, target: 'tikv-0' }] });
    const { refusals } = claiming(activities, [
      claim('duplicate', { of: ticketId('tikv', 899) }),
      claim('duplicate', { of: older.ticket }),
    ]);
    await handedOver(activities, input());
    expect(refusals).toEqual([
      'not a duplicate: tikv/899 is no other open ticket of this subject',
      'not a duplicate: tikv/900 is about tikv-0, this one about tikv-2',
    ]);
  });

  it('ends as one of an open, older ticket about the same target', async () => {
    const activities = activityDoubles(noCounts());
    const { openTurn } = activities;
    activities.openTurn = async (turn) => ({ ...(await openTurn(turn)), others: [older] });
    claiming(activities, [claim('duplicate', { of: older.ticket })]);
    await withTicket(temporal, { activities, input: input() }, async (ticket) => {
      expect(await ticket.result()).toMatchObject({ phase: 'duplicate' });
      expect((await status(ticket)).phase).toBe('duplicate');
    });
  });
});
