import { describe, expect, it } from '@jest/globals';
import { MESSAGES } from '../../../workflows/contract.js';
import { withTemporal } from '../../support/temporal.js';
import {
  type AllActivities,
  activityDoubles,
  goodSample,
  noCounts,
  thought,
  ticketInput,
  violation,
} from '../ticket-double.js';
import { inPhase, moves, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

describe('a proof', () => {
  const proofOf = (sample: ReturnType<typeof goodSample>, counts = noCounts()) => {
    const activities = activityDoubles(counts);
    activities.sample = async () => ({ ...sample, at: new Date().toISOString() });
    const think = activities.think;
    activities.think = async (input) =>
      input.digest.proposals.some((p) => p.end === 'ran')
        ? thought({ kind: 'escalate', why: 'the cure did not help' }, true)
        : think(input);
    return activities;
  };
  const endOf = (activities: AllActivities) =>
    withTicket(
      temporal,
      { activities, input: ticketInput({ proof: { samples: 3, windowMs: 60, sampleMs: 20, deadlineMs: 300 } }) },
      async (ticket) => {
        const now = await inPhase(ticket, 'escalated');
        const events = await trail(ticket);
        await ticket.signal(MESSAGES.close, { by: 'ana', reason: 'by hand' });
        await ticket.result();
        return { now, moves: moves(events) };
      },
    );

  it('that stays unknown goes to a person and never resolves', async () => {
    const { now, moves: why } = await endOf(proofOf({ ...goodSample(), causeGone: 'unknown', reason: 'no witness' }));
    expect(now.proof).toMatchObject({ result: 'unknown', causeGone: 'unknown' });
    expect(now.brief).toContain('no witness');
    expect(why).not.toContain('proven');
  });

  it('that finds it unchanged goes back to the reasoner', async () => {
    const { moves: why } = await endOf(
      proofOf({
        ...goodSample(),
        healthy: 'no',
        broken: [violation().fingerprint],
        causeGone: 'no',
        reason: 'still dead',
      }),
    );
    expect(why).toContain('notBetter');
  });

  it('that finds something newly broken takes the repair back', async () => {
    const { moves: why } = await endOf(
      proofOf({
        ...goodSample(),
        healthy: 'no',
        broken: ['tikv:store-up:tikv-3'],
        causeGone: 'no',
        reason: 'tikv-3 fell',
      }),
    );
    expect(why).toContain('worse');
    expect(why).toContain('undone');
  });
});
