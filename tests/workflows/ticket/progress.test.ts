import { describe, expect, it } from '@jest/globals';
import { evidenceId } from '../../../src/domain/ids.js';
import type { NextStep } from '../../../src/domain/next-step.js';
import { GIVE_UP_AFTER, NOTHING_NOTED, noteLook, noteWorld, type Progress } from '../../../src/domain/progress.js';
import type { Call } from '../../../src/domain/query.js';
import { openTicket } from '../../../src/domain/ticket.js';
import { MESSAGES, type TicketInput } from '../../../workflows/contract.js';
import { withTemporal } from '../../support/temporal.js';
import { until } from '../../support/until.js';
import {
  type AllActivities,
  activityDoubles,
  evidence,
  noCounts,
  PROPOSE,
  thought,
  ticketInput,
  violation,
} from '../ticket-double.js';
import { inPhase, status, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

const look = (command: string): NextStep => ({
  kind: 'look',
  why: 'once more',
  calls: [{ kind: 'shell', host: 'lab', command }],
});
const MANY = { turns: 30, looks: 60 };

/** Thinks the same for ever; tells what the reasoner was told. */
function stubborn(
  activities: AllActivities,
  steps: readonly NextStep[],
): { readonly refusals: () => readonly string[] } {
  let refusals: readonly string[] = [];
  activities.think = async ({ digest }) => {
    refusals = digest.refusals;
    return thought(steps[(digest.turn - 1) % steps.length]!, false);
  };
  return { refusals: () => refusals };
}

async function stuck(activities: AllActivities, input: TicketInput = ticketInput({}, MANY)) {
  return withTicket(temporal, { activities, input }, async (ticket) => {
    const now = await inPhase(ticket, 'escalated');
    const events = await trail(ticket);
    await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
    await ticket.result();
    return { now, events };
  });
}

describe('a ticket that goes round in circles', () => {
  it('is told after three idle turns what it repeats, and goes to a person after six', async () => {
    const activities = activityDoubles(noCounts());
    const { refusals } = stubborn(activities, [look('labctl ps'), look('labctl  ps ')]);
    const { now, events } = await stuck(activities);
    expect(now.spent.turns).toBe(7);
    expect(now.brief).toContain(
      'no progress: 6 turns in a row brought nothing new: the same look with the same answers: lab$ labctl ps',
    );
    expect(now.brief).toContain('e2 lab$ labctl ps');
    expect(refusals()).toEqual([
      expect.stringContaining('3 turns in a row brought nothing new: the same look with the same answers'),
    ]);
    expect(events.flatMap((e) => (e.type === 'returned' ? [e.about] : []))).toEqual(['repetition']);
  });

  it('is seen through when it looks at two things in turn', async () => {
    const activities = activityDoubles(noCounts());
    stubborn(activities, [look('labctl ps'), look('labctl inspect tikv-2')]);
    const { now } = await stuck(activities);
    expect(now.spent.turns).toBe(8);
    expect(now.brief).toContain('no progress');
  });

  it('is seen through when it proposes the same unfounded thing again and again', async () => {
    const activities = activityDoubles(noCounts());
    stubborn(activities, [PROPOSE]);
    const { now } = await stuck(activities);
    // In the first turn the evidence it names does not exist, from then on it is a picture.
    expect(now.spent).toMatchObject({ turns: 8, acts: 0 });
    expect(now.brief).toContain('the same proposal, back for the same reason: start the store tikv-2');
  });

  it('is none while the answers change', async () => {
    const activities = activityDoubles(noCounts());
    let asked = 0;
    activities.look = async ({ id, call }) => {
      asked += 1;
      return evidence(id, { call, sha256: `answer ${asked}` });
    };
    stubborn(activities, [look('labctl ps')]);
    const { now } = await stuck(activities, ticketInput({}, { turns: 9 }));
    expect(now.brief).toContain('the limit of 9 turns is reached');
  });

  it('begins to count anew when a person gives a hint', async () => {
    const activities = activityDoubles(noCounts());
    stubborn(activities, [look('labctl ps')]);
    await withTicket(temporal, { activities, input: ticketInput({}, MANY) }, async (ticket) => {
      await inPhase(ticket, 'escalated');
      await ticket.signal(MESSAGES.hint, { by: 'ana', text: 'look at the disk' });
      const turns = await until(
        'six more turns after the hint',
        async () => {
          const now = await status(ticket);
          return now.phase === 'escalated' && now.spent.turns > 7 ? now.spent.turns : undefined;
        },
        { deadlineMs: 20_000 },
      );
      expect(turns).toBe(13);
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
  });

  it('is still known as one after it continued as new', async () => {
    const input = ticketInput({}, MANY);
    const call: Call = { kind: 'shell', host: 'lab', command: 'labctl ps' };
    const world = { broken: [violation().fingerprint], unknown: [] };
    const idle = Array.from({ length: GIVE_UP_AFTER }).reduce<Progress>(
      (progress) => noteLook(noteWorld(progress, world), [{ call, found: evidence(evidenceId(1), { call }) }]),
      NOTHING_NOTED,
    );
    const opened = openTicket(input.filing, input.admission);
    const activities = activityDoubles(noCounts());
    stubborn(activities, [look('labctl ps')]);
    const carried = { v: 1, ticket: { ...opened, phase: 'investigating', progress: idle } } as const;
    const { now } = await stuck(activities, { ...input, carried });
    expect(now.spent.turns).toBe(1);
    expect(now.brief).toContain('no progress: 6 turns in a row');
  });

  it('goes on when an older version carried it without a memory of its turns', async () => {
    const input = ticketInput({}, MANY);
    const { progress: _, causes: __, ...old } = openTicket(input.filing, input.admission);
    const activities = activityDoubles(noCounts());
    stubborn(activities, [look('labctl ps')]);
    const { now } = await stuck(activities, {
      ...input,
      carried: { v: 1, ticket: { ...old, phase: 'investigating' } },
    });
    expect(now.spent.turns).toBe(7);
  });
});
