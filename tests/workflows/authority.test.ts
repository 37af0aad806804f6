import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { temporal as api } from '@temporalio/proto';
import { ticketWorkflowId } from '../../src/domain/ids.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import { signed } from '../../src/policy/signature.js';
import { type Decision, MESSAGES, type TicketInput, type TicketStatus } from '../../workflows/contract.js';
import { authorityOf, type Keyed, keyed } from '../src/policy/people.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { type House, openHouse } from './house.js';
import { ticketInput } from './ticket-double.js';
import { type Handle, inPhase, withTicket as onDoubles, status, trail } from './ticket-run.js';

const temporal = withTemporal();
const ANA = keyed('ana', 'oncall');
const EVA = keyed('eva', 'lead');
const BEN = keyed('ben', 'lead');
const ZOE = keyed('zoe', 'lead');
const TEAM = authorityOf([ANA, EVA, BEN]);

/** A loaded machine may take long. */
const eventually: typeof until = (what, look) => until(what, look, { deadlineMs: 20_000 });

let house: House;
beforeEach(() => {
  house = openHouse();
  house.authority = TEAM;
});
afterEach(() => house.close());

const withTicket = (work: (ticket: Handle) => Promise<unknown>, input: TicketInput = ticketInput()) =>
  onDoubles(temporal, { activities: house.activities, input }, work);

const asked = async (ticket: Handle): Promise<NonNullable<TicketStatus['pending']>> =>
  eventually('a question', async () => {
    const { pending } = await inPhase(ticket, 'awaiting-approval');
    return pending?.expiresAt ? pending : undefined;
  });

type Asked = Awaited<ReturnType<typeof asked>>;
const unsigned = ({ proposal, basisHash }: Asked, part: Partial<Decision> = {}): Decision => ({
  proposal: proposal.id,
  answer: 'approve',
  by: 'ana',
  note: 'go',
  basisHash,
  ...part,
});
const by = ({ person, key }: Keyed, question: Asked, part: Partial<Decision> & { run?: string } = {}): Decision => {
  const { run = question.run, ...rest } = part;
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  return signed({ run, answer: unsigned(question, { by: person.name, expiresAt, ...rest }), key });
};
const decide = (ticket: Handle, decision: Decision): Promise<string> =>
  ticket.executeUpdate<string, [Decision]>(MESSAGES.decide, { args: [decision] });
const refusalOf = (ticket: Handle, decision: Decision): Promise<string> =>
  decide(ticket, decision).then(
    (said) => `accepted: ${said}`,
    (error: { cause?: { type?: string } }) => error.cause?.type ?? String(error),
  );
const refusals = (events: readonly TrailEvent[]) =>
  events.flatMap((e) => (e.type === 'unauthorised' ? [`${e.by} ${e.code}`] : []));
const end = async (ticket: Handle) => {
  await ticket.signal(MESSAGES.abort, { by: 'test', reason: 'enough' });
  expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
};

describe('an answer without authority', () => {
  it('does not count, is told to whoever gave it and in the trail, and the ticket waits for one that does', () =>
    withTicket(async (ticket) => {
      const question = await asked(ticket);
      expect(question.need).toEqual({ people: 1, unsigned: false, who: ['ana', 'eva', 'ben'] });
      const attempts: [Decision, string][] = [
        [unsigned(question), 'MEDIC_DECIDE_UNSIGNED'],
        [by(ZOE, question), 'MEDIC_DECIDE_UNKNOWN_PERSON'],
        [by({ ...ANA, key: ZOE.key }, question), 'MEDIC_DECIDE_FORGED'],
        [{ ...by(ANA, question), note: 'and the others too' }, 'MEDIC_DECIDE_FORGED'],
        [by(ANA, question, { run: randomUUID() }), 'MEDIC_DECIDE_FORGED'],
        [by(ANA, question, { expiresAt: new Date(Date.now() - 1).toISOString() }), 'MEDIC_DECIDE_EXPIRED'],
        [{ ...by({ ...ANA, key: ZOE.key }, question), answer: 'deny' }, 'MEDIC_DECIDE_FORGED'],
      ];
      for (const [decision, code] of attempts) expect(await refusalOf(ticket, decision)).toBe(code);
      await ticket.signal(MESSAGES.decide, by(ZOE, question));
      const told = await eventually('the signal in the trail', async () => {
        const seen = refusals(await trail(ticket));
        return seen.length > attempts.length ? seen : undefined;
      });
      const names = ['ana', 'zoe', 'ana', 'ana', 'ana', 'ana', 'ana'];
      const expected = attempts.map(([, code], i) => `${names[i]} ${code}`);
      expect(told).toEqual([...expected, 'zoe MEDIC_DECIDE_UNKNOWN_PERSON']);
      expect(await status(ticket)).toMatchObject({ phase: 'awaiting-approval', pending: { approvals: [] } });
      expect(house.ran()).toBe(0);

      expect(await decide(ticket, by(ANA, question))).toBe('#1 approve: accepted');
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      expect((await trail(ticket)).filter((e) => e.type === 'decided')).toMatchObject([{ by: 'ana', signed: true }]);
      expect(house.ran()).toBe(1);
    }));

  it("is nobody's in the lab, where a signal without a name is enough for what can be taken back", async () => {
    house.policy = { ...house.policy, environment: 'lab' };
    house.authority = authorityOf([]);
    await withTicket(async (ticket) => {
      const question = await asked(ticket);
      await ticket.signal(MESSAGES.decide, unsigned(question, { by: '' }));
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    });
    expect(house.ran()).toBe(1);
  });

  it('is every yes to a subject that medic.yaml lets only observe; a no is heard', async () => {
    house.authority = { ...TEAM, autonomy: { tikv: 'observe' } };
    await withTicket(async (ticket) => {
      const question = await asked(ticket);
      expect(question.ruling).toMatchObject({ kind: 'needs-approval', code: 'MEDIC_POLICY_OBSERVE' });
      expect(await refusalOf(ticket, by(EVA, question))).toBe('MEDIC_POLICY_OBSERVE');
      expect(await decide(ticket, by(EVA, question, { answer: 'deny' }))).toBe('#1 deny: accepted');
      await end(ticket);
    });
    expect(house.ran()).toBe(0);
  });
});

describe('what takes two people', () => {
  it('waits for the second with the first one kept, tells them, and counts nobody twice', async () => {
    house.policy = { ...house.policy, environment: 'lab' };
    house.inverse = { kind: 'irreversible', why: 'it is gone then' };
    const told: string[] = [];
    house.activities.notify = async ({ kind, text }) => {
      if (kind === 'needs-you') told.push(text);
    };
    await withTicket(async (ticket) => {
      const question = await asked(ticket);
      expect(await refusalOf(ticket, unsigned(question))).toBe('MEDIC_DECIDE_UNSIGNED');
      expect(await refusalOf(ticket, by(ANA, question))).toBe('MEDIC_DECIDE_NOT_ALLOWED');
      const first = '#1 approve: 1 of 2, another person has to approve it too';
      expect(await decide(ticket, by(EVA, question))).toBe(first);
      expect(await decide(ticket, by(EVA, question, { note: 'again' }))).toBe(`${first}; eva counts once`);
      expect(await status(ticket)).toMatchObject({
        phase: 'awaiting-approval',
        pending: { need: { people: 2, who: ['eva', 'ben'] }, approvals: [{ by: 'eva', note: 'again' }] },
      });
      expect(house.ran()).toBe(0);
      expect(await decide(ticket, by(BEN, question))).toBe('#1 approve: accepted');
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      expect((await trail(ticket)).filter((e) => e.type === 'decided')).toMatchObject([
        { by: 'eva', count: { have: 1, need: 2 } },
        { by: 'ben', count: { have: 2, need: 2 } },
      ]);
    });
    expect(house.ran()).toBe(1);
    expect(told).toEqual([
      expect.stringMatching(/^#1 /),
      expect.stringMatching(/^#1 .*: approved by eva \(1 of 2\), another person has to approve it too$/),
    ]);
  });

  it('is also what cannot be proven; without two who may, it goes to a person at once', async () => {
    house.lamp.on = null;
    await withTicket(async (ticket) => {
      const question = await asked(ticket);
      expect(question.ruling?.kind).toBe('unproven');
      expect(await refusalOf(ticket, by(ANA, question))).toBe('MEDIC_DECIDE_NOT_ALLOWED');
      const both = await Promise.all([decide(ticket, by(EVA, question)), decide(ticket, by(BEN, question))]);
      expect(both.filter((said) => said.includes('accepted'))).toHaveLength(1);
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    });
    expect(house.ran()).toBe(1);

    house.authority = authorityOf([ANA, EVA]);
    await withTicket(async (ticket) => {
      await inPhase(ticket, 'escalated');
      await end(ticket);
    });
    expect(house.ran()).toBe(1);
  });
});

describe('an approval that does not hold any more when its step is to run', () => {
  const refusedAct = (ticket: Handle) =>
    eventually('the refused act', async () => (await trail(ticket)).find((e) => e.type === 'acted'));

  it('because its key was taken out of medic.yaml, goes back to a person and is not taken again', () =>
    withTicket(async (ticket) => {
      house.gateIsOpen = false;
      const question = await asked(ticket);
      const ours = by(ANA, question);
      await decide(ticket, ours);
      house.authority = authorityOf([BEN]);
      house.gateIsOpen = true;
      expect(await refusedAct(ticket)).toMatchObject({
        outcome: 'refused',
        reason:
          'the approval of ana does not count any more: medic.yaml names nobody called ana; it has 0 of 1 approvals',
      });
      const again = await asked(ticket);
      expect(again).toMatchObject({ approvals: [], need: { who: ['ben'] } });
      house.authority = TEAM;
      expect(await refusalOf(ticket, ours)).toBe('MEDIC_DECIDE_STALE');
      expect(house.ran()).toBe(0);
      expect(await decide(ticket, by(BEN, again))).toBe('#1 approve: accepted');
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      expect(house.ran()).toBe(1);
    }));

  it('because its time was over, goes back to a person', () =>
    withTicket(async (ticket) => {
      house.gateIsOpen = false;
      const question = await asked(ticket);
      const expiresAt = new Date(Date.now() + 20_000).toISOString();
      await decide(ticket, by(ANA, question, { expiresAt }));
      house.aheadMs = 30_000;
      house.gateIsOpen = true;
      expect(await refusedAct(ticket)).toMatchObject({ reason: expect.stringContaining(`it held until ${expiresAt}`) });
      await asked(ticket);
      expect(house.ran()).toBe(0);
      await end(ticket);
    }));
});

describe('a ticket that is reset by a client of Temporal', () => {
  /** The end of the task that took the answer, or of the one that then asked the gate. */
  async function resetTo(ticket: Handle, where: 'before the answer' | 'after it'): Promise<void> {
    const { events } = await ticket.fetchHistory();
    const taken = events?.findIndex((e) => e.workflowExecutionUpdateAcceptedEventAttributes) ?? -1;
    const task = events?.slice(0, taken).findLast((e) => e.workflowTaskCompletedEventAttributes);
    const gate = events?.find((e) => e.activityTaskScheduledEventAttributes?.activityType?.name === 'gate');
    const asks = gate?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId;
    await temporal.client.workflowService.resetWorkflowExecution({
      namespace: temporal.client.options.namespace,
      workflowExecution: { workflowId: ticket.workflowId },
      reason: where,
      workflowTaskFinishEventId: where === 'after it' ? asks : task?.eventId,
      requestId: randomUUID(),
    });
  }

  it.each([
    ['before the answer', 'unsigned'],
    ['after it', 'signed'],
  ] as const)('to %s, which was %s, asks again, and no earlier answer counts', async (where, how) => {
    if (how === 'unsigned') house.policy = { ...house.policy, environment: 'lab' };
    house.gateIsOpen = false;
    await withTicket(async (started) => {
      const question = await asked(started);
      const ours = how === 'signed' ? by(ANA, question) : unsigned(question);
      await decide(started, ours);
      await eventually('the closed gate', async () => (await trail(started)).find((e) => e.type === 'gate'));
      house.gateIsOpen = true;
      const ticket = temporal.client.workflow.getHandle(started.workflowId) as Handle;
      await resetTo(ticket, where);
      const again = await eventually('another question', async () => {
        const now = await asked(ticket);
        return now.proposal.id === question.proposal.id ? undefined : now;
      });
      expect(again.run).not.toBe(question.run);
      expect(await refusalOf(ticket, ours)).toBe('MEDIC_DECIDE_STALE');
      expect(house.ran()).toBe(0);
      await decide(ticket, how === 'signed' ? by(ANA, again) : unsigned(again));
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      expect(house.ran()).toBe(1);
    });
  });
});

/** Whether the server has written such an event yet. */
async function inHistory(ticket: Handle, is: (event: api.api.history.v1.IHistoryEvent) => unknown) {
  const { events } = await ticket.fetchHistory();
  return events?.some((event) => Boolean(is(event))) || undefined;
}

describe('an answer at the wrong time', () => {
  it('is refused before there is a proposal, and while another one has been taken', async () => {
    const { think } = house.activities;
    let mayThink = false;
    house.activities.think = async (input) => {
      await eventually('leave to think', () => mayThink || undefined);
      return think(input);
    };
    await withTicket(async (ticket) => {
      await inPhase(ticket, 'investigating');
      const early = { ...unsigned({ proposal: { id: 'x' }, basisHash: 'y' } as unknown as Asked) };
      expect(await refusalOf(ticket, early)).toBe('MEDIC_DECIDE_NOTHING_PENDING');
      mayThink = true;
      const question = await asked(ticket);
      const [first, second] = await Promise.all([ANA, EVA].map((each) => refusalOf(ticket, by(each, question))));
      expect([first, second].sort()).toEqual(['MEDIC_DECIDE_NOTHING_PENDING', 'accepted: #1 approve: accepted']);
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    });
    expect(house.ran()).toBe(1);
  });

  it('is told so when the ticket is aborted while it is weighed, and nothing runs', async () => {
    const { authorise } = house.activities;
    let weighing = 0;
    let mayWeigh = false;
    house.activities.authorise = async (input) => {
      weighing += 1;
      await eventually('leave to weigh', () => mayWeigh || undefined);
      return authorise(input);
    };
    await withTicket(async (ticket) => {
      const question = await asked(ticket);
      const answers = [refusalOf(ticket, by(ANA, question)), refusalOf(ticket, by(EVA, question))];
      await eventually('an answer being weighed', () => weighing || undefined);
      await ticket.signal(MESSAGES.abort, { by: 'ben', reason: 'stop' });
      expect(await Promise.all(answers)).toEqual(['MEDIC_DECIDE_NOTHING_PENDING', 'MEDIC_DECIDE_NOTHING_PENDING']);
      mayWeigh = true;
      expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
      await expect(decide(ticket, by(ANA, question))).rejects.toThrow(/completed/);
    });
    expect(house.ran()).toBe(0);
  });

  it('is weighed although its question expired, when both lay with the server while no worker ran', async () => {
    const queue = 'authority-late';
    const base = ticketInput();
    const input = { ...base, times: { ...base.times, expireMs: 4_000 } };
    const { ticket, question } = await temporal.withWorker(
      house.activities,
      async () => {
        const workflowId = ticketWorkflowId(input.filing.id);
        const args: [TicketInput] = [input];
        const started = (await temporal.client.workflow.start('ticket', {
          workflowId,
          taskQueue: queue,
          args,
        })) as Handle;
        const pending = await asked(started);
        // It asks, tells, and only then lets the time run.
        await eventually('the time to run', () => inHistory(started, (e) => e.timerStartedEventAttributes));
        return { ticket: started, question: pending };
      },
      { queue },
    );
    await ticket.signal(MESSAGES.decide, unsigned(question));
    await eventually('the expiry', () => inHistory(ticket, (e) => e.timerFiredEventAttributes));
    await temporal.withWorker(
      house.activities,
      async () => {
        await eventually('the answer in the trail', async () => refusals(await trail(ticket))[0]);
        expect(refusals(await trail(ticket))).toEqual(['ana MEDIC_DECIDE_UNSIGNED']);
        await end(ticket);
      },
      { queue },
    );
    expect(house.ran()).toBe(0);
  });

  it('is refused once nobody answered in time', async () => {
    const input = ticketInput({ expireMs: 100 });
    await withTicket(async (ticket) => {
      const events = await eventually('its end', async () => {
        const seen = await trail(ticket);
        return seen.some((e) => e.type === 'moved' && e.why === 'expired') ? seen : undefined;
      });
      const proposal = events.flatMap((e) => (e.type === 'proposed' ? [e.proposal] : []))[0];
      const basisHash = events.flatMap((e) => (e.type === 'ruled' ? [e.basisHash] : []))[0];
      const late = by(ANA, { proposal, basisHash, run: 'any' } as unknown as Asked);
      expect(['MEDIC_DECIDE_STALE', 'MEDIC_DECIDE_NOTHING_PENDING']).toContain(await refusalOf(ticket, late));
      expect(house.ran()).toBe(0);
      await end(ticket);
    }, input);
  });

  it(
    'is found among 3,000 that do not count, and they do not push the story out of the trail',
    () =>
      withTicket(async (ticket) => {
        const question = await asked(ticket);
        const noise = (i: number) => (i % 50 === 0 ? unsigned(question) : unsigned(question, { basisHash: `${i}` }));
        // The server buffers a hundred while a task runs; what asks for the status waits until they are taken.
        for (let sent = 0; sent < 3_000; sent += 75) {
          await Promise.all(Array.from({ length: 75 }, (_, i) => ticket.signal(MESSAGES.decide, noise(sent + i))));
          expect((await status(ticket)).phase).toBe('awaiting-approval');
        }
        expect(await decide(ticket, by(ANA, question))).toBe('#1 approve: accepted');
        expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
        const events = await trail(ticket);
        expect(events[0]?.type).toBe('filed');
        const ignored = events.flatMap((e) => (e.type === 'stale' || e.type === 'unauthorised' ? [e.reason] : []));
        expect(ignored).toHaveLength(12);
        expect(ignored.at(-1)).toContain('(number 1000 without effect)');
        expect(house.ran()).toBe(1);
      }),
    120_000,
  );
});
