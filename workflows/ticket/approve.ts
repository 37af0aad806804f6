import { condition } from '@temporalio/workflow';
import { tellNeed } from '../../src/domain/approval.js';
import { between, instant } from '../../src/domain/ids.js';
import { deskwork } from '../activity-options.js';
import type { Inbox } from './messages.js';
import { dropProposal } from './propose.js';
import { nothingLeft } from './rest.js';
import type { TicketRun } from './run.js';
import { type AnswerEnd, approvers, howSaid, weighAnswer } from './weigh-answer.js';

/**
 * Waits for a person, with reminders, until the proposal expires. No answer is never a yes. A signalled hint wakes the
 * reasoner: the proposal is withdrawn.
 */
export async function awaitAnswer(run: TicketRun, inbox: Inbox): Promise<void> {
  const { pending } = run.ticket;
  if (!pending) return run.move('expired', 'nothing is pending');
  const started = run.now();
  const expiresAt = instant(Date.parse(started) + run.times.expireMs);
  const { number, title } = pending.proposal;
  inbox.decision = null;
  inbox.ignored = 0;
  run.change({ pending: { ...pending, expiresAt } });
  const needs = pending.need && tellNeed(pending.need);
  run.happen({ type: 'asked', proposal: number, question: `#${number} ${title}`, expiresAt, needs });
  run.show(`waiting for you: #${number} ${title}`);
  await notifyPerson(run, 'needs-you', `#${number} ${title}`);
  let end: AnswerEnd = 'waiting';
  while (end === 'waiting') {
    await waitWithReminders(run, inbox, expiresAt);
    end = await weighAnswer(run, inbox);
  }
  run.change({ waitedMs: run.ticket.waitedMs + between(started, run.now()) });
  if (run.wish || end === 'left') return;
  takeAnswer(run, inbox);
}

async function waitWithReminders(run: TicketRun, inbox: Inbox, expiresAt: string): Promise<void> {
  const answered = () => inbox.decision !== null || run.wish !== null || inbox.hinted || nothingLeft(run);
  while (!answered()) {
    const leftMs = between(run.now(), expiresAt);
    if (leftMs <= 0) return;
    const woke = await condition(answered, Math.min(leftMs, run.times.remindMs), {
      summary: `awaiting an answer to #${run.ticket.pending?.proposal.number}`,
    });
    if (woke) return;
    if (between(run.now(), expiresAt) <= 0) return;
    run.happen({ type: 'reminded', waitingFor: 'an answer' });
    await notifyPerson(run, 'reminder', `still waiting; expires ${expiresAt}`);
  }
}

function takeAnswer(run: TicketRun, inbox: Inbox): void {
  const { decision } = inbox;
  inbox.decision = null;
  const number = run.ticket.pending?.proposal.number ?? 0;
  if (decision) {
    const { answer, by, note } = decision;
    run.happen({ type: 'decided', proposal: number, answer, by, note, ...howSaid(run, decision) });
    if (decision.answer === 'approve') return approved(run, approvers(run) || by);
    dropProposal(run, { end: 'denied', note: decision.note });
    run.refuse(`#${number} was denied by ${decision.by}: ${decision.note}`);
    return run.move('denied', `denied by ${decision.by}: ${decision.note}`);
  }
  const why = inbox.hinted
    ? 'withdrawn because of a hint'
    : nothingLeft(run)
      ? 'nothing is violated any more'
      : 'nobody answered in time';
  dropProposal(run, { end: 'expired', note: why });
  run.refuse(`#${number} expired: ${why}`);
  run.move('expired', why);
}

function approved(run: TicketRun, by: string): void {
  const { pending } = run.ticket;
  if (pending) run.change({ pending: { ...pending, approvedBy: by } });
  run.move('permitted', `approved by ${by}`);
}

const notifyPerson = (run: TicketRun, kind: 'needs-you' | 'reminder', text: string) =>
  deskwork.notify.executeWithOptions({ summary: `${kind}: ${text}` }, [
    { ticket: run.ticket.id, kind, text, severity: run.ticket.severity },
  ]);
