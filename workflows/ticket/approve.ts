import { patched } from '@temporalio/workflow';
import { tellNeed } from '../../src/domain/approval.js';
import { between, instant } from '../../src/domain/ids.js';
import type { Pending } from '../../src/domain/ticket.js';
import { deskwork } from '../activity-options.js';
import { amendPending } from './amend.js';
import type { Inbox } from './messages.js';
import { dropProposal } from './propose.js';
import { nothingLeft } from './rest.js';
import type { TicketRun } from './run.js';
import { waitForPerson } from './wait-for-person.js';
import { approvers, howSaid, weighAnswer } from './weigh-answer.js';

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
  inbox.amendment = null;
  run.change({ pending: { ...pending, expiresAt } });
  const needs = pending.need && tellNeed(pending.need);
  const question = inWords(pending);
  run.happen({
    ...{ type: 'asked', proposal: number, question: `#${number} ${title}`, expiresAt, needs },
    ...seenBefore(pending),
  });
  run.show(`waiting for you: #${number} ${title}`);
  await notifyPerson(run, 'needs-you', question);
  let hasLeft = false;
  await waitForPerson(run, {
    what: `an answer to #${number}`,
    expiresAt,
    woken: () => isAnswered(inbox) || run.wish !== null || inbox.hinted || nothingLeft(run),
    goesOn: async () => {
      const had = countOf(run.ticket.pending);
      const end = await weighAnswer(run, inbox);
      hasLeft = end === 'left';
      if (end === 'waiting') await tellNextPerson(run, had);
      return end === 'waiting';
    },
    remind: async () => {
      run.happen({ type: 'reminded', waitingFor: 'an answer' });
      await notifyPerson(run, 'reminder', `still waiting; expires ${expiresAt}`);
    },
    telling: { kind: 'needs-you', text: question },
  });
  run.change({ waitedMs: run.ticket.waitedMs + between(started, run.now()) });
  if (run.wish || hasLeft) return;
  takeAnswer(run, inbox);
}

const countOf = (pending: Pending | null): number => pending?.approvals?.length ?? 0;

/** Whoever else may approve it hears that it now hangs on them. */
async function tellNextPerson(run: TicketRun, had: number): Promise<void> {
  const { pending } = run.ticket;
  if (!pending || countOf(pending) <= had || !patched('next-approver-is-told')) return;
  const { number, title } = pending.proposal;
  const count = `${countOf(pending)} of ${pending.need?.people}`;
  await notifyPerson(
    run,
    'needs-you',
    `#${number} ${title}: approved by ${approvers(run)} (${count}), another person has to approve it too`,
  );
}

const isAnswered = ({ decision, amendment }: Inbox): boolean => decision !== null || amendment !== null;

const seenBefore = ({ changes }: Pending) => (changes && changes.length > 0 ? { changes } : {});

/** What changed stands with the question: it is asked again because of it. */
function inWords({ proposal, changes = [] }: Pending): string {
  const question = `#${proposal.number} ${proposal.title}`;
  if (changes.length === 0) return question;
  return [`${question}: asked again`, 'Changed since it was last seen:', ...changes.map((line) => `- ${line}`)].join(
    '\n',
  );
}

function takeAnswer(run: TicketRun, inbox: Inbox): void {
  const { decision, amendment } = inbox;
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
  if (amendment) return amendPending(run, amendment.asked);
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
  deskwork.notify.executeWithOptions({ summary: `${kind}: ${text.split('\n')[0]}` }, [
    { ticket: run.ticket.id, kind, text, severity: run.ticket.severity },
  ]);
