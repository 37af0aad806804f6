import { describe, expect, it } from '@jest/globals';
import { recordOf } from '../../src/cli/record.js';
import { ticketWorkflowId } from '../../src/domain/ids.js';
import { createArchive } from '../../src/evidence/archive.js';
import { createOverlayStore } from '../../src/evidence/overlay-store.js';
import { fetchHistoryText } from '../../src/runtime/history.js';
import { openRunOf } from '../../src/runtime/open-run.js';
import { workflowBundlePath } from '../../src/runtime/replay.js';
import { resetTicket } from '../../src/runtime/reset.js';
import { createTicketBook } from '../../src/runtime/ticket-book.js';
import { readRecording } from '../../src/runtime/whatif/recording.js';
import { createSandboxes } from '../../src/runtime/whatif/sandbox.js';
import { whatIf } from '../../src/runtime/whatif/what-if.js';
import {
  type Decision,
  type DeskInput,
  deskId,
  MESSAGES,
  QUERIES,
  type TicketInput,
  type TicketStatus,
} from '../../workflows/contract.js';
import { withHome } from '../src/evidence/home.js';
import { archivedKill } from '../support/killed-store.js';
import { playedAgain } from '../support/played-again.js';
import { withTemporal } from '../support/temporal.js';
import { type AllActivities, activityDoubles, noCounts, thought, ticketInput } from './ticket-double.js';
import { type Handle, inPhase, status, trail } from './ticket-run.js';

const temporal = withTemporal();
const HINT = { by: 'ana', text: 'it is the store, look at its host' };

/** A ticket whose handle outlives its runs, as a person's would. */
async function withTicket(
  activities: AllActivities,
  work: (room: { ticket: Handle; queue: string; input: TicketInput }) => Promise<void>,
): Promise<void> {
  const input = ticketInput();
  await temporal.withWorker(activities, async (queue) => {
    const workflowId = ticketWorkflowId(input.filing.id);
    await temporal.client.workflow.start('ticket', { workflowId, taskQueue: queue, args: [input] });
    await work({ ticket: temporal.client.workflow.getHandle(workflowId) as Handle, queue, input });
  });
}

const reset = (now: TicketStatus, turn: number) =>
  resetTicket({ client: temporal.client, status: now, turn, hint: HINT });

const answerTo = (now: TicketStatus, answer: Decision['answer']): Decision => ({
  proposal: now.pending!.proposal.id,
  basisHash: now.pending!.basisHash,
  by: 'ana',
  note: 'said',
  answer,
});

/** A what-if from its last turn on in which nobody thinks anew. */
async function onceMore(history: string, answer: Decision['answer'] | null) {
  const sandboxes = await createSandboxes({ bundlePath: workflowBundlePath() });
  try {
    return await whatIf({
      sandboxes,
      recording: readRecording({ history, workflowId: 'ticket/tikv/1', source: 'the test' }),
      trail: null,
      turn: 2,
      bodies: new Map(),
      answer,
      evidence: createOverlayStore({}),
      thinking: { stands: () => true, reasoner: null, tries: 1 },
      rule: { when: 'unrecorded', judge: async () => ({ kind: 'cannot-tell', why: 'no policy' }) },
      secrets: [],
      run: 'whatif-test',
    });
  } finally {
    await sandboxes.close();
  }
}

describe('an open ticket that is reset to a turn', () => {
  it('keeps what was before, does the rest again with the hint, and asks for a fresh approval', async () => {
    const counts = noCounts();
    const activities = activityDoubles(counts, { ruling: 'needs-approval' });
    const think = activities.think;
    const hints: (readonly string[])[] = [];
    activities.think = async (input) => {
      hints.push(input.digest.hints.map(({ text }) => text));
      return input.digest.refusals.length > 0 ? thought({ kind: 'escalate', why: 'denied' }, true) : think(input);
    };
    await withTicket(activities, async ({ ticket }) => {
      const first = await inPhase(ticket, 'awaiting-approval');
      await ticket.executeUpdate(MESSAGES.decide, { args: [answerTo(first, 'deny')] });
      await reset(await inPhase(ticket, 'escalated'), 2);

      const again = await inPhase(ticket, 'awaiting-approval');
      expect(again.pending?.proposal.id).not.toBe(first.pending?.proposal.id);
      await expect(ticket.executeUpdate(MESSAGES.decide, { args: [answerTo(first, 'approve')] })).rejects.toMatchObject(
        { cause: { type: 'MEDIC_DECIDE_STALE' } },
      );
      expect(counts.acts).toBe(0);

      await ticket.executeUpdate(MESSAGES.decide, { args: [answerTo(again, 'approve')] });
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
      const events = await trail(ticket);
      expect(events.filter(({ type }) => type === 'reset')).toMatchObject([{ turn: 2 }]);
      expect(events.filter(({ type }) => type === 'decided')).toMatchObject([{ answer: 'approve' }]);
      const history = await fetchHistoryText(temporal.client, ticket.workflowId);
      expect(await playedAgain(history)).toEqual(events);
      expect(await onceMore(history, null)).toMatchObject({ divergence: null, end: 'closed', now: [] });
      expect(await onceMore(history, 'deny')).toMatchObject({
        divergence: { turn: 2, what: 'the answer to #1', recorded: 'approve by ana', now: 'deny' },
        end: 'stopped',
      });
    });
    expect(hints).toEqual([[], [], [], [HINT.text]]);
    expect(counts.acts).toBe(1);
  });

  it('is refused a turn that it does not have, and any while it acts', () =>
    withTicket(activityDoubles(noCounts(), { ruling: 'needs-approval' }), async ({ ticket }) => {
      const now = await inPhase(ticket, 'awaiting-approval');
      await expect(reset(now, 9)).rejects.toMatchObject({
        code: 'MEDIC_RESET_TURN',
        message: 'there is no turn 9; its turns are 1, 2',
      });
      await expect(reset({ ...now, phase: 'remediating' }, 1)).rejects.toMatchObject({ code: 'MEDIC_RESET_ACTING' });
      expect((await status(ticket)).phase).toBe('awaiting-approval');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'enough' });
      await ticket.result();
    }));
});

describe('a closed ticket that is reset', () => {
  it('runs again, is not ended by what ended it, and is back on its desk', () =>
    withTicket(activityDoubles(noCounts(), { ruling: 'needs-approval' }), async ({ ticket, queue, input }) => {
      const { subject, id } = input.filing;
      const desk: DeskInput = { subject, firstNumber: 100, recurrenceMs: 1_000 };
      const desks = temporal.client.workflow;
      await desks.start('desk', { workflowId: deskId(subject), taskQueue: queue, args: [desk] });
      await inPhase(ticket, 'awaiting-approval');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'wrong road' });
      expect(await ticket.result()).toMatchObject({ phase: 'aborted' });

      await reset(await status(ticket), 1);
      const again = await inPhase(ticket, 'awaiting-approval');
      expect((await trail(ticket)).filter(({ type }) => type === 'hint')).toMatchObject([HINT]);
      const onDesk = await desks.getHandle(deskId(subject)).query<{ tickets: { id: string }[] }>(QUERIES.desk);
      expect(onDesk.tickets).toMatchObject([{ id }]);
      await ticket.executeUpdate(MESSAGES.decide, { args: [answerTo(again, 'approve')] });
      expect(await ticket.result()).toMatchObject({ phase: 'resolved' });
    }));

  it('is read as it runs, not as it had ended', () =>
    withTicket(activityDoubles(noCounts(), { ruling: 'needs-approval' }), ({ ticket, input }) =>
      withHome(async (home) => {
        const { id } = input.filing;
        await inPhase(ticket, 'awaiting-approval');
        await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'wrong road' });
        await ticket.result();
        const archive = createArchive({ home });
        const kill = archivedKill({ history: await fetchHistoryText(temporal.client, ticketWorkflowId(id)) });
        await archive.save({ ...kill, ticket: { ...kill.ticket, id } });
        const { client } = temporal;
        const session = { client, book: createTicketBook({ client, archive }), why: null, isSilent: false };
        expect(await recordOf(id, session, home)).toMatchObject({ source: `${id} (archive)` });

        await reset(await status(ticket), 1);
        await inPhase(ticket, 'awaiting-approval');
        const again = await recordOf(id, session, home);
        expect(again.source).toBe(`${id} (running again; how it had ended before is in the archive)`);
        expect(again.history).not.toBe(kill.history);
        expect(await openRunOf(client, id)).not.toBeNull();
        await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'enough' });
        await ticket.result();
      }),
    ));
});
