import { describe, expect, it } from '@jest/globals';
import type { HypothesisUpdate } from '../../../src/domain/hypothesis.js';
import type { NextStep, Thought } from '../../../src/domain/next-step.js';
import type { TrailEvent } from '../../../src/domain/trail.js';
import { MESSAGES, QUERIES } from '../../../workflows/contract.js';
import { withTemporal } from '../../support/temporal.js';
import { until } from '../../support/until.js';
import { activityDoubles, belief, noCounts, PROPOSE, thought } from '../ticket-double.js';
import { inPhase, moves, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

const returned = (events: readonly TrailEvent[]) =>
  events.flatMap((e) => (e.type === 'returned' ? e.missing.map((words) => `${e.about ?? 'proposal'}: ${words}`) : []));
const thinks = (nextStep: NextStep, ...hypotheses: readonly HypothesisUpdate[]): Thought => ({
  ...thought(nextStep, true),
  hypotheses,
});

describe('the board of a ticket', () => {
  it('takes no verdict that rests on nothing, tells the reasoner why, and goes on', async () => {
    const activities = activityDoubles(noCounts());
    const think = activities.think;
    const told: (readonly string[])[] = [];
    activities.think = async (input) => {
      told.push(input.digest.refusals);
      const { nextStep } = await think(input);
      if (input.digest.turn > 1) return think(input);
      return thinks(
        nextStep,
        belief('process-dead', 'supported', { ids: [77] }),
        belief('process-frozen', 'refuted', { ids: [] }),
      );
    };
    const events = await withTicket(temporal, { activities }, async (ticket) => {
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      return trail(ticket);
    });
    const words = [
      'process-dead/tikv-2 stands as before: it cites evidence that does not exist: e77',
      'process-frozen/tikv-2 stands as before: it is called refuted, but no evidence against it is cited',
    ];
    expect(told[1]).toEqual(words);
    expect(returned(events)).toEqual(words.map((line) => `hypothesis: ${line}`));
    expect(events.find((e) => e.type === 'thought')).toMatchObject({ board: [] });
  });

  it('is confirmed by the proof, in the query, in the trail and in the report', async () => {
    const counts = noCounts();
    await withTicket(temporal, { activities: activityDoubles(counts) }, async (ticket) => {
      await ticket.result();
      expect(await ticket.query(QUERIES.board)).toMatchObject([
        { id: 'H1', status: 'confirmed', for: ['e2', 'e3'], because: 'the proof: healthy 3 of 3; cause gone' },
        { id: 'H2', status: 'refuted', against: ['e2'] },
      ]);
      expect((await trail(ticket)).find((e) => e.type === 'confirmed')).toMatchObject({ hypothesis: 'H1' });
    });
    expect(counts.archived[0]).toContain('H1 process-dead/tikv-2');
    expect(counts.archived[0]).toContain('confirmed  for e2 e3  against -: the proof: healthy 3 of 3; cause gone');
    expect(counts.archived[0]).toContain('test: e2; would have refuted it: a process that runs');
    expect(counts.archived[0]).toContain('weighed: process-frozen/tikv-2: there is no process');
  });

  it('sends a proposal that is not well founded back without judging it', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    const think = activities.think;
    activities.think = async (input) => {
      if (input.digest.turn > 1) return think(input);
      const { nextStep } = await think({ ...input, digest: { ...input.digest, turn: 2 } });
      return thought(nextStep, false);
    };
    const events = await withTicket(temporal, { activities }, async (ticket) => {
      await until(
        'the returned proposal',
        async () => ((await trail(ticket)).some((e) => e.type === 'returned') ? true : undefined),
        { deadlineMs: 15_000 },
      );
      const seen = await trail(ticket);
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
      return seen;
    });
    expect(returned(events)).toContain('proposal: H1 is open, not supported');
  });

  it('lets nothing be done about the cause other, nor about one that the subject does not know', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    const think = activities.think;
    activities.think = async (input) => {
      if (input.digest.turn === 1) return think(input);
      if (input.digest.turn > 3) return thought({ kind: 'escalate', why: 'no cause fits' }, true);
      const cause = { class: input.digest.turn === 2 ? 'other' : 'gremlins', target: 'tikv-2' };
      const nextStep: NextStep =
        PROPOSE.kind === 'propose' ? { ...PROPOSE, proposal: { ...PROPOSE.proposal, cause } } : PROPOSE;
      return thinks(nextStep, belief(cause.class, 'supported', { confidence: 1 }), belief('process-frozen', 'refuted'));
    };
    const events = await withTicket(temporal, { activities }, async (ticket) => {
      await inPhase(ticket, 'escalated');
      const seen = await trail(ticket);
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
      return seen;
    });
    expect(returned(events)).toEqual([
      'proposal: the cause `other` can never be proven gone, so nothing may be done about it',
      'proposal: gremlins is no cause of this subject; it knows process-dead, process-frozen, link-loss, pd-stale',
      'proposal: H4 does not lead the board; H3 does',
    ]);
    expect(counts).toMatchObject({ judged: 0, gates: 0, acts: 0 });
  });
});

describe('a proposal that restarts or moves what is healthy', () => {
  it('goes back until its upstream causes were refuted by a look, and runs then', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    const judge = activities.judge;
    activities.judge = async (input) => ({
      ...(await judge(input)),
      upstream: ['process-dead', 'process-frozen', 'link-loss'],
    });
    const think = activities.think;
    const actsBefore: number[] = [];
    activities.think = async (input) => {
      actsBefore.push(counts.acts);
      const next = await think(input);
      if (input.digest.turn < 3) return next;
      return { ...next, hypotheses: [...next.hypotheses, belief('link-loss', 'refuted', { ids: [2] })] };
    };
    const events = await withTicket(temporal, { activities }, async (ticket) => {
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      return trail(ticket);
    });
    expect(returned(events)).toEqual([
      'proposal: what is healthy is not restarted, moved or added to before a look refutes link-loss, which is not on the board',
    ]);
    expect(moves(events)).toEqual(['dispatched', 'proposed', 'notFounded', 'proposed', 'permitted', 'acted', 'proven']);
    expect(events.filter((e) => e.type === 'proposed' || e.type === 'ruled').map((e) => e.type)).toEqual([
      'proposed',
      'proposed',
      'ruled',
    ]);
    expect(actsBefore).toEqual([0, 0, 0]);
    expect(counts).toMatchObject({ judged: 2, gates: 1, acts: 1 });
  });

  it('is refused as such when policy forbids it', async () => {
    const activities = activityDoubles(noCounts(), { ruling: 'forbidden' });
    const judge = activities.judge;
    activities.judge = async (input) => ({ ...(await judge(input)), upstream: ['link-loss'] });
    await withTicket(temporal, { activities }, async (ticket) => {
      const now = await inPhase(ticket, 'escalated');
      expect(now.brief).toContain('policy refused 3 proposals');
      expect(returned(await trail(ticket))).toEqual([]);
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
  });
});
