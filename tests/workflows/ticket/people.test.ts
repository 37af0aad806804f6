import { describe, expect, it } from '@jest/globals';
import { Context } from '@temporalio/activity';
import type { Amended, Amendment } from '../../../src/domain/amendment.js';
import type { StepDraft } from '../../../src/domain/proposal.js';
import type { TicketNotice } from '../../../workflows/activity-contract.js';
import { type Decision, MESSAGES, type TicketStatus } from '../../../workflows/contract.js';
import { withTemporal } from '../../support/temporal.js';
import { until } from '../../support/until.js';
import {
  type AllActivities,
  activityDoubles,
  type Counts,
  noCounts,
  thought,
  ticketInput,
  violation,
} from '../ticket-double.js';
import { type Handle, inPhase, moves, status, trail, withTicket } from '../ticket-run.js';

const temporal = withTemporal();

const OTHER: StepDraft = { kind: 'action', action: 'resume-process', target: 'tikv-2' };
const FORBIDDEN: StepDraft = {
  kind: 'call',
  describe: 'stop another',
  target: 'tikv-3',
  call: { kind: 'shell', host: 'lab', command: 'labctl stop tikv-3' },
};

const answerTo = (now: TicketStatus, part: Partial<Decision> = {}): Decision => ({
  ...{ proposal: now.pending!.proposal.id, basisHash: now.pending!.basisHash },
  ...{ answer: 'approve', by: 'ana', note: 'go', ...part },
});
const decide = (ticket: Handle, what: Decision) =>
  ticket.executeUpdate<string, [Decision]>(MESSAGES.decide, { args: [what] });
const amend = (ticket: Handle, now: TicketStatus, steps: readonly StepDraft[]) => {
  const { proposal, basisHash } = answerTo(now);
  const amendment = { proposal, basisHash, by: 'ana', note: 'rather so', steps };
  return ticket.executeUpdate<Amended, [Amendment]>(MESSAGES.amend, { args: [amendment] });
};
const pendingNumber = (ticket: Handle, number: number) =>
  until(
    `#${number} to wait for an answer`,
    async () => {
      const now = await status(ticket);
      return now.pending?.proposal.number === number && now.pending.expiresAt ? now : undefined;
    },
    { deadlineMs: 20_000 },
  );
const typesOf = async (ticket: Handle) => (await trail(ticket)).map(({ type }) => type);
const seen = (ticket: Handle, type: string) =>
  until(`an event ${type}`, async () => (await typesOf(ticket)).includes(type as never) || undefined, {
    deadlineMs: 20_000,
  });
const end = async (ticket: Handle) => {
  await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'over' });
  return ticket.result();
};

/** A kernel that forbids to touch tikv-3, and writes its judgements into the steps. */
function asking(counts: Counts): AllActivities & { judgedDrafts: (readonly StepDraft[])[] } {
  const activities = activityDoubles(counts, { ruling: 'needs-approval' });
  const judgedDrafts: (readonly StepDraft[])[] = [];
  const { judge } = activities;
  activities.judge = async (input) => {
    judgedDrafts.push(input.drafts);
    const judged = await judge(input);
    return input.drafts.some(({ target }) => target === 'tikv-3')
      ? { ...judged, ruling: { kind: 'forbidden', reason: 'tikv-2 is down', code: 'MEDIC_POLICY_QUORUM' } }
      : judged;
  };
  return { ...activities, judgedDrafts };
}

describe('a plan that a person amends', () => {
  it('is a new proposal of that person, judged from scratch, and runs only when it was approved', async () => {
    const counts = noCounts();
    const { judgedDrafts, ...activities } = asking(counts);
    await withTicket(temporal, { activities }, async (ticket) => {
      const first = await inPhase(ticket, 'awaiting-approval');
      const amended = await amend(ticket, first, [OTHER]);
      expect(amended).toMatchObject({ kind: 'stands', number: 2, ruling: { kind: 'needs-approval' } });
      const now = await pendingNumber(ticket, 2);
      expect(now.pending?.proposal).toMatchObject({ by: 'ana', title: first.pending?.proposal.title });
      expect(now.pending?.proposal.id).not.toBe(first.pending?.proposal.id);
      expect(judgedDrafts.at(-1)).toEqual([OTHER]);
      await expect(decide(ticket, answerTo(first))).rejects.toMatchObject({ cause: { type: 'MEDIC_DECIDE_STALE' } });
      expect(counts.acts).toBe(0);
      await decide(ticket, answerTo(now));
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      expect((await trail(ticket)).filter(({ type }) => type === 'amended')).toMatchObject([
        { proposal: 1, to: 2, by: 'ana', note: 'rather so' },
      ]);
    });
    expect(counts.acts).toBe(1);
  });

  it('into something forbidden comes back with the reason, and the plan as it was waits again', async () => {
    const counts = noCounts();
    const { judgedDrafts: _, ...activities } = asking(counts);
    await withTicket(temporal, { activities }, async (ticket) => {
      const first = await inPhase(ticket, 'awaiting-approval');
      expect(await amend(ticket, first, [FORBIDDEN])).toEqual({
        kind: 'refused',
        number: 2,
        ruling: { kind: 'forbidden', reason: 'tikv-2 is down', code: 'MEDIC_POLICY_QUORUM' },
      });
      const again = await pendingNumber(ticket, 1);
      expect(again.pending?.proposal.id).toBe(first.pending?.proposal.id);
      expect(again.pending?.changes).toEqual(['#2 by ana was refused, forbidden: tikv-2 is down']);
      await decide(ticket, answerTo(again));
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    });
    expect(counts).toMatchObject({ acts: 1, judged: 3 });
  });

  it('is refused without an event when it names another plan or is no plan', async () => {
    const { judgedDrafts: _, ...activities } = asking(noCounts());
    await withTicket(temporal, { activities }, async (ticket) => {
      const now = await inPhase(ticket, 'awaiting-approval');
      const stale = { ...now, pending: { ...now.pending!, basisHash: 'other' } };
      await expect(amend(ticket, stale, [OTHER])).rejects.toMatchObject({ cause: { type: 'MEDIC_DECIDE_STALE' } });
      await expect(amend(ticket, now, [])).rejects.toMatchObject({ cause: { type: 'MEDIC_AMEND_SHAPE' } });
      expect(await typesOf(ticket)).not.toContain('amended');
      await end(ticket);
    });
  });
});

describe('a plan whose facts changed after a person approved it', () => {
  it('goes back to the person as a list of what changed, in the question and in the notice', async () => {
    const counts = noCounts();
    const notices: TicketNotice[] = [];
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    const { judge, act } = activities;
    activities.notify = async (notice) => void notices.push(notice);
    activities.judge = async (input) => {
      const judged = await judge(input);
      if (counts.judged === 1) return judged;
      return { ...judged, basisHash: 'hash-2', basis: [{ fact: 'step 1: process', value: 'gone', compare: 'equal' }] };
    };
    activities.act = async (input) =>
      counts.judged > 1
        ? act(input)
        : { outcome: 'refused', journal: 'j', reason: 'changed', changes: ['process: exited -> gone'] };
    await withTicket(temporal, { activities }, async (ticket) => {
      const first = await inPhase(ticket, 'awaiting-approval');
      expect(first.pending?.changes).toBeUndefined();
      await decide(ticket, answerTo(first));
      const again = await until('the question again', async () => {
        const now = await status(ticket);
        return now.pending?.basisHash === 'hash-2' && now.pending.expiresAt ? now : undefined;
      });
      const changes = ['step 1: process: exited -> gone'];
      expect(again.pending?.changes).toEqual(changes);
      expect((await trail(ticket)).filter(({ type }) => type === 'asked')).toMatchObject([{}, { changes }]);
      await until('the notice', async () => notices.filter(({ kind }) => kind === 'needs-you')[1]?.text);
      expect(notices.filter(({ kind }) => kind === 'needs-you')[1]?.text).toContain(`- ${changes[0]}`);
      await expect(decide(ticket, answerTo(first))).rejects.toMatchObject({ cause: { type: 'MEDIC_DECIDE_STALE' } });
      expect(counts.acts).toBe(0);
      await decide(ticket, answerTo(again));
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    });
    expect(counts.acts).toBe(1);
  });
});

describe('a ticket that nobody answers', () => {
  it('reminds, then tells the next in the chain, then expires, and takes no late or second answer', async () => {
    const notices: TicketNotice[] = [];
    const counts = noCounts();
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    const { think } = activities;
    activities.notify = async (notice) => void notices.push(notice);
    activities.think = async (input) =>
      input.digest.proposals.some((p) => p.end === 'expired')
        ? thought({ kind: 'escalate', why: 'nobody answered' }, true)
        : think(input);
    const escalation = [{ afterMs: 700, tell: ['pager'] }];
    const input = ticketInput({ remindMs: 400, expireMs: 1_500, escalation });
    await withTicket(temporal, { activities, input }, async (ticket) => {
      const asked = await until('what is ahead', async () => {
        const now = await status(ticket);
        return now.ahead?.length === 3 ? now : undefined;
      });
      expect(asked.ahead?.map(({ what }) => what)).toEqual(['remind', 'tell', 'expire']);
      await inPhase(ticket, 'escalated');
      await expect(decide(ticket, answerTo(asked))).rejects.toMatchObject({
        cause: { type: 'MEDIC_DECIDE_NOTHING_PENDING' },
      });
      const told = () => notices.filter(({ to }) => to);
      await until('the chain once more for the escalated ticket', async () => told().length === 2 || undefined);
      expect(told()).toMatchObject([
        { kind: 'needs-you', to: ['pager'], text: 'nobody answered yet: #1 start the store tikv-2' },
        { kind: 'escalated', to: ['pager'] },
      ]);
      expect((await trail(ticket)).filter(({ type }) => type === 'told')).toMatchObject([
        { who: ['pager'], waitingFor: 'an answer to #1' },
        { who: ['pager'], waitingFor: 'a person' },
      ]);
      await end(ticket);
    });
    expect(notices.map(({ kind }) => kind).slice(1, 4)).toEqual(['needs-you', 'reminder', 'needs-you']);
    expect(counts.acts).toBe(0);
  });

  it('takes the first of two answers, and refuses the second', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    await withTicket(temporal, { activities }, async (ticket) => {
      const now = await inPhase(ticket, 'awaiting-approval');
      const both = await Promise.allSettled([
        decide(ticket, answerTo(now)),
        decide(ticket, answerTo(now, { answer: 'deny', by: 'bob' })),
      ]);
      expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
      await seen(ticket, 'decided');
      expect((await typesOf(ticket)).filter((type) => type === 'decided')).toHaveLength(1);
      await end(ticket).catch(() => {});
    });
    expect(counts.acts).toBeLessThanOrEqual(1);
  });
});

describe('a ticket that a person takes', () => {
  it('loses its plan, only watches, and goes on when the same person gives it back with a hint', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    await withTicket(temporal, { activities }, async (ticket) => {
      const asked = await inPhase(ticket, 'awaiting-approval');
      await ticket.signal(MESSAGES.take, { by: 'ana', reason: 'I know this one' });
      const taken = await inPhase(ticket, 'escalated');
      expect(taken).toMatchObject({ waitsFor: 'ana, who took it', pending: null, taken: { by: 'ana' } });
      expect(taken.brief).toContain('taken over by ana: I know this one');
      await expect(decide(ticket, answerTo(asked))).rejects.toMatchObject({
        cause: { type: 'MEDIC_DECIDE_NOTHING_PENDING' },
      });
      await ticket.signal(MESSAGES.sighting, { at: new Date().toISOString(), added: [], cleared: [violation()] });
      await ticket.signal(MESSAGES.hint, { by: 'bob', text: 'is it the disk?' });
      await seen(ticket, 'hint');
      expect(await status(ticket)).toMatchObject({ phase: 'escalated', taken: { by: 'ana' }, violations: [] });
      await ticket.signal(MESSAGES.sighting, { at: new Date().toISOString(), added: [violation()], cleared: [] });
      await ticket.signal(MESSAGES.hint, { by: 'ana', text: 'it is yours again' });
      const again = await pendingNumber(ticket, 2);
      expect(again.taken).toBeUndefined();
      await decide(ticket, answerTo(again));
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      expect(moves(await trail(ticket))).toEqual(expect.arrayContaining(['taken', 'hinted', 'proven']));
    });
    expect(counts.notices).toContain('taken');
    expect(counts.acts).toBe(1);
  });

  it('lets the running step end, begins no other, and can be closed by the person', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    const { judge } = activities;
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    activities.judge = async (input) => {
      const judged = await judge(input);
      const { proposal } = judged;
      return { ...judged, proposal: { ...proposal, steps: [...proposal.steps, ...proposal.steps] } };
    };
    activities.act = async () => {
      counts.acts += 1;
      await held;
      return { outcome: 'ok', exit: 0, journal: 'j', reason: 'exit 0', tail: '' };
    };
    await withTicket(temporal, { activities }, async (ticket) => {
      await until('the act', async () => counts.acts === 1 || undefined, { deadlineMs: 20_000 });
      await ticket.signal(MESSAGES.take, { by: 'ana', reason: 'stop there' });
      expect((await status(ticket)).phase).toBe('remediating');
      letGo();
      const taken = await inPhase(ticket, 'escalated');
      expect(taken.brief).toContain('take by ana before step 2 of 2');
      expect(taken.brief).toContain('done so far: start the store tikv-2');
      await ticket.signal(MESSAGES.close, { by: 'ana', reason: 'done by hand' });
      expect(await ticket.result()).toMatchObject({ phase: 'closed-by-person' });
    });
    expect(counts.acts).toBe(1);
    expect(counts.releases).toBeGreaterThan(0);
  });
});

describe('a ticket that is aborted without killing', () => {
  it('lets the running step end and is over then', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts);
    let letGo = () => {};
    const held = new Promise<'ended'>((resolve) => {
      letGo = () => resolve('ended');
    });
    let outcome = '';
    activities.act = async () => {
      counts.acts += 1;
      outcome = await Promise.race([held, Context.current().cancelled]);
      return { outcome: 'ok', exit: 0, journal: 'j', reason: 'exit 0', tail: '' };
    };
    await withTicket(temporal, { activities }, async (ticket) => {
      await until('the act', async () => counts.acts === 1 || undefined, { deadlineMs: 20_000 });
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'enough' });
      expect((await status(ticket)).phase).toBe('remediating');
      letGo();
      expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
      expect((await trail(ticket)).filter(({ type }) => type === 'acted')).toMatchObject([{ outcome: 'ok' }]);
    });
    expect(outcome).toBe('ended');
  });
});

describe('a worker that is gone between the approval and the act', () => {
  it('loses no approval and acts once when another one is there', async () => {
    const queue = 'killed-before-the-act';
    const input = ticketInput();
    const counts = noCounts();
    const first = activityDoubles(counts, { ruling: 'needs-approval' });
    let gates = 0;
    first.gate = async () => {
      gates += 1;
      return Context.current().cancelled;
    };
    const ticket = await temporal.withWorker(
      first,
      async () => {
        const workflowId = `ticket/${input.filing.id}`;
        const args = [input];
        const started = await temporal.client.workflow.start('ticket', { workflowId, taskQueue: queue, args });
        await decide(started as Handle, answerTo(await inPhase(started as Handle, 'awaiting-approval')));
        await until('the gate to be asked', async () => gates > 0 || undefined, { deadlineMs: 20_000 });
        return started as Handle;
      },
      { queue },
    );
    expect(counts.acts).toBe(0);
    await temporal.withWorker(
      activityDoubles(counts, { ruling: 'needs-approval' }),
      async () => expect(await ticket.result()).toMatchObject({ phase: 'resolved' }),
      { queue },
    );
    expect(counts).toMatchObject({ acts: 1, judged: 1 });
    expect(counts.notices.filter((kind) => kind === 'needs-you')).toHaveLength(1);
  });
});
