import { describe, expect, it } from '@jest/globals';
import { Context, heartbeat } from '@temporalio/activity';
import { type WorkflowHandle, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { evidenceId, ticketWorkflowId } from '../../src/domain/ids.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import {
  type Decision,
  MESSAGES,
  QUERIES,
  type TicketInput,
  type TicketResult,
  type TicketStatus,
} from '../../workflows/contract.js';
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
  violation,
} from './ticket-double.js';

const temporal = withTemporal();

type Handle = WorkflowHandle & { result(): Promise<TicketResult> };

/** Starts a ticket on doubles and hands it to the test. */
async function withTicket<T>(
  { activities, input = ticketInput() }: { activities: AllActivities; input?: TicketInput },
  work: (ticket: Handle) => Promise<T>,
): Promise<T> {
  return temporal.withWorker(activities, async (taskQueue) => {
    const handle = await temporal.client.workflow.start('ticket', {
      workflowId: ticketWorkflowId(input.filing.id),
      taskQueue,
      args: [input],
    });
    return work(handle as Handle);
  });
}

const status = (ticket: Handle) => ticket.query<TicketStatus>(QUERIES.status);
const trail = (ticket: Handle) => ticket.query<TrailEvent[]>(QUERIES.trail);
const inPhase = (ticket: Handle, phase: string) =>
  until(
    `ticket in phase ${phase}`,
    async () => {
      const now = await status(ticket);
      return now.phase === phase ? now : undefined;
    },
    { deadlineMs: 20_000 },
  );
const moves = (events: readonly TrailEvent[]) => events.flatMap((e) => (e.type === 'moved' ? [e.why] : []));

describe('a ticket that policy lets run', () => {
  it('looks, proposes, acts once, proves and closes its books', async () => {
    const counts = noCounts();
    const { result, events } = await withTicket({ activities: activityDoubles(counts) }, async (ticket) => ({
      result: await ticket.result(),
      events: await trail(ticket),
    }));
    expect(result).toMatchObject({ phase: 'resolved', proof: { result: 'healthy', causeGone: true } });
    expect(moves(events)).toEqual(['dispatched', 'proposed', 'permitted', 'acted', 'proven']);
    expect(counts).toMatchObject({ acts: 1, gates: 1, releases: 1, judged: 1, notices: ['filed', 'closed'] });
    expect(counts.archived[0]).toContain('process-dead/tikv-2');
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1));
  });

  it('tells its story in the Temporal UI: summaries, details, search attributes', async () => {
    const input = ticketInput();
    await withTicket({ activities: activityDoubles(noCounts()), input }, async (ticket) => {
      await ticket.result();
      const described = await ticket.describe();
      const attributes = Object.fromEntries(
        described.typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
      );
      expect(attributes).toMatchObject({
        MedicPhase: 'resolved',
        MedicCause: 'process-dead/tikv-2',
        MedicTarget: 'tikv-2',
      });
      const metadata = await ticket.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(metadata.currentDetails).toContain('**resolved**');
      expect(metadata.currentDetails).toContain('| H1 | process-dead/tikv-2 | supported | 0.90 | exit 137 |');
      const { events } = await ticket.fetchHistory();
      const summaries = (events ?? []).flatMap((e) => {
        const data = e.userMetadata?.summary?.data;
        return data ? [JSON.parse(Buffer.from(data).toString()) as string] : [];
      });
      expect(summaries).toContain('act: lab$ labctl start tikv-2');
      expect(summaries).toContain('proof sample 1');
      const scheduled = (events ?? []).filter(
        (e) => e.activityTaskScheduledEventAttributes || e.timerStartedEventAttributes,
      );
      expect(scheduled.filter((e) => !e.userMetadata?.summary)).toEqual([]);
    });
  });
});

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
    await withTicket({ activities: activityDoubles(counts, { ruling: 'needs-approval' }) }, async (ticket) => {
      const now = await inPhase(ticket, 'awaiting-approval');
      await until('a person is told', async () => counts.notices.includes('needs-you') || undefined);
      expect(counts).toMatchObject({ acts: 0, gates: 0 });
      expect(await decide(ticket, decision(now))).toBe('#1 approve: accepted');
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    });
    expect(counts.acts).toBe(1);
  });

  it('refuses an answer to anything but the pending proposal and its basis, and leaves no event of it', async () => {
    await withTicket({ activities: activityDoubles(noCounts(), { ruling: 'needs-approval' }) }, async (ticket) => {
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
    });
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
    await withTicket({ activities }, async (ticket) => {
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
    await withTicket({ activities, input: ticketInput({ expireMs: 3_000, remindMs: 200 }) }, async (ticket) => {
      await inPhase(ticket, 'escalated');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'enough' });
      expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
    });
    expect(counts.acts).toBe(0);
    expect(counts.notices).toContain('reminder');
  });
});

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
    const { result, events } = await withTicket({ activities: lost(counts, 'yes') }, async (ticket) => ({
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
    const { result, events } = await withTicket({ activities }, async (ticket) => ({
      result: await ticket.result(),
      events: await trail(ticket),
    }));
    expect(result.phase).toBe('resolved');
    expect(moves(events)).toContain('notRun');
    expect(new Set(ids).size).toBe(2);
  });

  it('stops the command on an abort, waits until it is gone, and keeps no lease', async () => {
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
    await withTicket({ activities }, async (ticket) => {
      await until('the act', async () => (counts.acts === 1 ? true : undefined), { deadlineMs: 20_000 });
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'wrong store' });
      expect(await ticket.result()).toMatchObject({ phase: 'aborted' });
      expect(ended).toBe(true);
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
    await withTicket({ activities }, async (ticket) => {
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
    const events = await withTicket({ activities }, async (ticket) => {
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
    await withTicket({ activities }, async (ticket) => {
      expect((await inPhase(ticket, 'awaiting-approval')).pending?.ruling?.reason).toBe('rate used up');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
    expect(counts.acts).toBe(0);
  });
});

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

describe('a ticket without a repair', () => {
  it('closes by itself only after the clear held, and only if nothing was done', async () => {
    const activities = activityDoubles(noCounts());
    activities.think = async () => thought({ kind: 'escalate', why: 'no rule' }, false);
    await withTicket({ activities }, async (ticket) => {
      await inPhase(ticket, 'escalated');
      await ticket.signal(MESSAGES.sighting, { at: new Date().toISOString(), added: [], cleared: [violation()] });
      expect(await ticket.result()).toMatchObject({ phase: 'self-cleared' });
    });
  });

  it('concludes only with evidence of its own, and not as transient what is still broken', async () => {
    const activities = activityDoubles(noCounts());
    const conclusions = [
      thought({ kind: 'conclude', conclusion: 'transient', why: 'gone', evidence: [evidenceId(77)] }, false),
      thought({ kind: 'conclude', conclusion: 'transient', why: 'gone', evidence: [evidenceId(1)] }, false),
      thought(
        { kind: 'conclude', conclusion: 'expected', why: 'a person stopped it', evidence: [evidenceId(1)] },
        false,
      ),
    ];
    const refusals: string[] = [];
    activities.think = async ({ digest }) => {
      refusals.push(...digest.refusals.slice(-1));
      return conclusions[digest.turn - 1]!;
    };
    await withTicket({ activities }, async (ticket) => {
      expect(await ticket.result()).toMatchObject({ phase: 'no-fault' });
    });
    expect(refusals).toEqual([
      'a conclusion must cite evidence of this ticket',
      'not transient: tikv-2: store-reachable',
    ]);
  });

  it('escalates with a usable brief when it reaches a limit, and a hint wakes it', async () => {
    const activities = activityDoubles(noCounts());
    activities.think = async () =>
      thought({ kind: 'look', why: 'again', calls: [{ kind: 'shell', host: 'lab', command: 'labctl ps' }] }, false);
    await withTicket({ activities, input: ticketInput({}, { turns: 3 }) }, async (ticket) => {
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

  it('escalates when policy refuses three times, and when thinking fails for good', async () => {
    const forbidden = activityDoubles(noCounts(), { ruling: 'forbidden' });
    await withTicket({ activities: forbidden }, async (ticket) => {
      expect((await inPhase(ticket, 'escalated')).brief).toContain('policy refused 3 proposals');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
    const broken = activityDoubles(noCounts());
    broken.think = async () => {
      throw ApplicationFailure.nonRetryable('no key');
    };
    await withTicket({ activities: broken }, async (ticket) => {
      expect((await inPhase(ticket, 'escalated')).brief).toContain('thinking failed: no key');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'x' });
      await ticket.result();
    });
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
    const events = await withTicket({ activities }, async (ticket) => {
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
    const returned = events.find((e) => e.type === 'returned');
    expect(returned?.type === 'returned' && returned.missing).toContain('H1 is open, not supported');
  });
});
