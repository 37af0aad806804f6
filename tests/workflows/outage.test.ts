import { describe, expect, it } from '@jest/globals';
import type { TrailEvent } from '../../src/domain/trail.js';
import type { TicketNotice } from '../../workflows/activity-contract.js';
import { type Decision, MESSAGES, type TicketInput } from '../../workflows/contract.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import {
  type AllActivities,
  activityDoubles,
  type Counts,
  goodSample,
  noCounts,
  thought,
  ticketInput,
} from './ticket-double.js';
import { type Handle, inPhase, moves, startTicket, status, trail } from './ticket-run.js';

const temporal = withTemporal();

/** A loaded machine may take long. */
const eventually: typeof until = (what, look) => until(what, look, { deadlineMs: 20_000 });
const eventOf = (ticket: Handle, type: TrailEvent['type']) =>
  eventually(`an event ${type}`, async () => (await trail(ticket)).find((event) => event.type === type));
const historyOf = async (ticket: Handle) => (await ticket.fetchHistory()).events ?? [];

/** The server knows of the wait: only then does it go on without a worker. */
const waiting = (ticket: Handle) =>
  eventually('a timer that runs', async () => {
    const events = await historyOf(ticket);
    const started = events.filter((event) => event.timerStartedEventAttributes).length;
    const over = events.filter((e) => e.timerFiredEventAttributes || e.timerCanceledEventAttributes).length;
    return started > over || undefined;
  });

const overAt = (what: string, at: number) => eventually(what, () => Date.now() > at || undefined);

/** Runs a ticket to some point, stops its worker, waits `down` without any, and goes on with another worker. */
async function acrossOutage(
  { activities, input }: { activities: AllActivities; input: TicketInput },
  {
    before,
    down,
    after,
  }: {
    before: (ticket: Handle) => Promise<unknown>;
    down: (ticket: Handle) => Promise<unknown>;
    after: (ticket: Handle) => Promise<unknown>;
  },
): Promise<void> {
  const queue = `outage-${input.filing.id}`;
  const ticket = await temporal.withWorker(
    activities,
    async () => {
      const started = await startTicket(temporal, { input, queue });
      await before(started);
      await waiting(started);
      return started;
    },
    { queue },
  );
  await down(ticket);
  await temporal.withWorker(activities, () => after(ticket), { queue });
}

function recorded(counts: Counts, ruling: 'needs-approval' | 'pre-approved') {
  const activities = activityDoubles(counts, { ruling });
  const { think } = activities;
  const notices: TicketNotice[] = [];
  activities.notify = async (notice) => void notices.push(notice);
  activities.think = async (input) =>
    input.digest.proposals.some(({ end }) => end !== null && end !== 'ran')
      ? thought({ kind: 'escalate', why: 'nobody answered' }, true)
      : think(input);
  const told = () => notices.map(({ kind, to }) => (to ? `${kind} to ${to.join()}` : kind));
  return { activities, told };
}

const asked = async (ticket: Handle) =>
  eventually('a question', async () => {
    const { pending } = await inPhase(ticket, 'awaiting-approval');
    return pending?.expiresAt ? pending : undefined;
  });
const approve = async (ticket: Handle): Promise<string> => {
  const { proposal, basisHash } = await asked(ticket);
  const decision: Decision = { proposal: proposal.id, basisHash, answer: 'approve', by: 'ana', note: 'go' };
  return ticket.executeUpdate<string, [Decision]>(MESSAGES.decide, { args: [decision] });
};
const close = async (ticket: Handle) => {
  await ticket.signal(MESSAGES.close, { by: 'ana', reason: 'enough' });
  expect(await ticket.result()).toMatchObject({ phase: 'closed-by-person' });
};

describe('a worker that is down for longer than every wait of a question', () => {
  it('lets it expire once, without a late reminder, and hands the ticket over', async () => {
    const counts = noCounts();
    const { activities, told } = recorded(counts, 'needs-approval');
    const input = ticketInput({ remindMs: 600, expireMs: 1_500, escalation: [{ afterMs: 900, tell: ['pager'] }] });
    await acrossOutage(
      { activities, input },
      {
        before: asked,
        down: async () => overAt('the expiry', Date.now() + input.times.expireMs),
        after: async (ticket) => {
          await inPhase(ticket, 'escalated');
          await eventually(
            'the chain for the escalated ticket',
            () => told().includes('escalated to pager') || undefined,
          );
          await close(ticket);
        },
      },
    );
    const before = told().slice(0, 3);
    expect(before).toEqual(['filed', 'needs-you', 'escalated']);
    expect(told().filter((one) => one === 'escalated to pager')).toHaveLength(1);
    expect(told()).not.toContain('needs-you to pager');
    expect(counts.acts).toBe(0);
  });

  it('but not than its expiry: the reminder and the next in the chain are told once each, and the yes still counts', async () => {
    const counts = noCounts();
    const { activities, told } = recorded(counts, 'needs-approval');
    const since = Date.now();
    const input = ticketInput({ remindMs: 20_000, escalation: [{ afterMs: 500, tell: ['pager'] }] });
    const times = { ...input.times, remindMs: 700 };
    await acrossOutage(
      { activities, input: { ...input, times } },
      {
        before: asked,
        // A reminder comes again and again: as many as were missed are one.
        down: async () => overAt('three reminders', Math.max(since, Date.now()) + 3 * times.remindMs),
        after: async (ticket) => {
          await eventually(
            'both',
            () => (told().includes('reminder') && told().includes('needs-you to pager')) || undefined,
          );
          const late = told().filter((one) => one === 'reminder');
          expect(late).toHaveLength(1);
          expect(await approve(ticket)).toBe('#1 approve: accepted');
          expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
        },
      },
    );
    expect(told().filter((one) => one === 'needs-you')).toHaveLength(1);
    expect(told().filter((one) => one === 'needs-you to pager')).toHaveLength(1);
    expect(counts).toMatchObject({ acts: 1, judged: 1 });
  });
});

describe('a worker that is down for longer than a shut gate is waited for', () => {
  async function atTheGate(after: (ticket: Handle) => Promise<unknown>, { opens }: { opens: 'meanwhile' | 'never' }) {
    const counts = noCounts();
    const { activities, told } = recorded(counts, 'pre-approved');
    const { gate } = activities;
    let isOpen = false;
    activities.gate = async (request) =>
      isOpen ? gate(request) : { granted: false, why: 'frozen', reason: 'tikv is frozen' };
    const input = ticketInput({ gateRetryMs: 300, gateGiveUpMs: 1_000 });
    await acrossOutage(
      { activities, input },
      {
        before: (ticket) => eventOf(ticket, 'gate'),
        down: async () => {
          await overAt('the time of giving up', Date.now() + input.times.gateGiveUpMs);
          isOpen = opens === 'meanwhile';
        },
        after,
      },
    );
    return { counts, told: told() };
  }

  it('asks it once more, and acts once if it opened meanwhile', async () => {
    const { counts, told } = await atTheGate(
      async (ticket) => expect(await ticket.result()).toMatchObject({ phase: 'resolved' }),
      { opens: 'meanwhile' },
    );
    expect(counts).toMatchObject({ acts: 1, judged: 1, gates: 1 });
    expect(told).toEqual(['filed', 'closed']);
  });

  it('hands the ticket over if it is still shut, and nothing ran', async () => {
    const { counts, told } = await atTheGate(
      async (ticket) => {
        expect((await inPhase(ticket, 'escalated')).brief).toContain('tikv is frozen');
        await close(ticket);
      },
      { opens: 'never' },
    );
    expect(counts.acts).toBe(0);
    expect(counts.releases).toBeGreaterThan(0);
    expect(told).toEqual(['filed', 'escalated', 'closed']);
  });
});

describe('a worker that is down in a proof, for longer than its deadline', () => {
  const proof = { samples: 3, windowMs: 600, sampleMs: 300, deadlineMs: 2_500 };

  it('goes on sampling and proves the repair, which ran once', async () => {
    const counts = noCounts();
    const { activities, told } = recorded(counts, 'pre-approved');
    await acrossOutage(
      { activities, input: ticketInput({ proof }) },
      {
        before: (ticket) => eventOf(ticket, 'sampled'),
        down: () => overAt('the deadline', Date.now() + proof.deadlineMs),
        after: async (ticket) => {
          expect(await ticket.result()).toMatchObject({ phase: 'resolved', proof: { result: 'healthy' } });
          expect(moves(await trail(ticket))).toEqual(['dispatched', 'proposed', 'permitted', 'acted', 'proven']);
          const limited = (await historyOf(ticket)).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
            Number(scheduled?.scheduleToCloseTimeout?.seconds ?? 0) > 0 ? [scheduled?.activityType?.name] : [],
          );
          // However long nobody runs it, no step may be over before it began.
          expect(limited).toEqual([]);
        },
      },
    );
    expect(counts.acts).toBe(1);
    expect(told()).toEqual(['filed', 'closed']);
  });

  it('still has a deadline for a repair that cannot be proven once it is back', async () => {
    const counts = noCounts();
    const { activities } = recorded(counts, 'pre-approved');
    activities.sample = async () => ({ ...goodSample(), causeGone: 'unknown', reason: 'no witness' });
    await acrossOutage(
      { activities, input: ticketInput({ proof: { ...proof, deadlineMs: 3_000 } }) },
      {
        before: (ticket) => eventOf(ticket, 'sampled'),
        down: () => overAt('the deadline', Date.now() + 3_000),
        after: async (ticket) => {
          await inPhase(ticket, 'escalated');
          expect((await status(ticket)).proof).toMatchObject({ result: 'unknown' });
          expect((await trail(ticket)).filter(({ type }) => type === 'sampled').length).toBeGreaterThan(2);
          await close(ticket);
        },
      },
    );
    expect(counts.acts).toBe(1);
  });
});
