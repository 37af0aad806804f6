import type { ErrorCode } from '../../src/domain/errors.js';
import type { Pending } from '../../src/domain/ticket.js';
import type { Authorisation } from '../activity-contract.js';
import { authorising } from '../activity-options.js';
import type { Decision } from '../contract.js';
import { type Answers, accepted, ignore } from './answers.js';
import type { TicketRun } from './run.js';

/** What became of the wait: it goes on, it has its answer (or ends without one), or the ticket has moved on. */
export type AnswerEnd = 'waiting' | 'answered' | 'left';

/**
 * Lets the configuration of this moment say whether the answer that arrived counts. One that does not is recorded and
 * told to whoever gave it; the ticket waits on, and so it does for the second of two people.
 */
export async function weighAnswer(run: TicketRun, answers: Answers): Promise<AnswerEnd> {
  const { decision } = answers;
  const { pending } = run.ticket;
  if (!decision || !pending || !answers.isWeighed || run.wish) return 'answered';
  if (decision.signature && pending.usedSignatures?.includes(decision.signature))
    return refuse(run, answers, { kind: 'refused', code: 'MEDIC_DECIDE_STALE', reason: 'it was used before' });
  const said = await authorise(run, pending, decision);
  if (run.wish) return 'answered';
  switch (said.kind) {
    case 'counts':
      return count(run, answers, { decision, said });
    case 'more':
      return wantMore(run, answers, { decision, said });
    case 'refused':
      return refuse(run, answers, said);
    case 'reset':
      return askAnew(run, answers, said.reason);
  }
}

const authorise = (run: TicketRun, pending: Pending, decision: Decision): Promise<Authorisation> =>
  authorising.authorise.executeWithOptions({ summary: `does ${decision.answer} by ${decision.by} count?` }, [
    {
      ticket: run.ticket.id,
      proposal: pending.proposal,
      ruling: pending.ruling?.kind ?? 'needs-approval',
      basisHash: pending.basisHash,
      run: pending.run,
      decision,
      approvals: pending.approvals ?? [],
    },
  ]);

interface Weighed<K extends Authorisation['kind']> {
  readonly decision: Decision;
  readonly said: Extract<Authorisation, { kind: K }>;
}

function count(run: TicketRun, answers: Answers, { decision, said }: Weighed<'counts'>): AnswerEnd {
  keep(run, decision, said.approvals);
  answers.replies.set(decision, accepted(run, decision));
  return 'answered';
}

/** The first of two is kept, and shown, while the second is waited for. */
function wantMore(run: TicketRun, answers: Answers, { decision, said }: Weighed<'more'>): AnswerEnd {
  const before = run.ticket.pending?.approvals ?? [];
  const isNew = !before.some(({ by }) => by === decision.by);
  const count = { have: said.approvals.length, need: said.need.people };
  keep(run, decision, said.approvals);
  const number = run.ticket.pending?.proposal.number ?? 0;
  const { answer, by, note } = decision;
  if (isNew) run.happen({ type: 'decided', proposal: number, answer, by, note, signed: isSigned(decision), count });
  const words = `#${number} ${answer}: ${count.have} of ${count.need}, another person has to approve it too`;
  answers.replies.set(decision, isNew ? words : `${words}; ${by} counts once`);
  answers.decision = null;
  run.show(`waiting for a second person: #${number}`);
  return 'waiting';
}

function keep(run: TicketRun, { signature }: Decision, approvals: Pending['approvals']): void {
  const { pending } = run.ticket;
  if (!pending) return;
  const used = pending.usedSignatures ?? [];
  run.change({ pending: { ...pending, approvals, usedSignatures: signature ? [...used, signature] : used } });
}

function refuse(
  run: TicketRun,
  answers: Answers,
  { code, reason }: Extract<Authorisation, { kind: 'refused' }>,
): AnswerEnd {
  const { decision } = answers;
  if (!decision) return 'waiting';
  const { answer, by } = decision;
  const proposal = run.ticket.pending?.proposal.number ?? 0;
  ignore(run, answers, { type: 'unauthorised', proposal, answer, by, code, reason });
  answers.replies.set(decision, { code: code as ErrorCode, message: reason });
  answers.decision = null;
  return 'waiting';
}

/** Judging again, in this run, gives the proposal an id that no earlier answer names. */
function askAnew(run: TicketRun, answers: Answers, reason: string): AnswerEnd {
  refuse(run, answers, { kind: 'refused', code: 'MEDIC_DECIDE_STALE', reason });
  const { pending } = run.ticket;
  if (pending) run.change({ pending: { ...pending, approvals: [] } });
  run.move('basisChanged', reason);
  return 'left';
}

const isSigned = ({ signature }: Decision): boolean => signature !== undefined;

/** For the trail: whose answer it is, and how many count with it. */
export function howSaid(run: TicketRun, decision: Decision) {
  const { approvals = [], need } = run.ticket.pending ?? {};
  const count = need && decision.answer === 'approve' ? { have: approvals.length, need: need.people } : undefined;
  return { signed: isSigned(decision), ...(count ? { count } : {}) };
}

/** Names of all whose approvals count. */
export const approvers = ({ ticket }: TicketRun): string =>
  (ticket.pending?.approvals ?? []).map(({ by }) => by).join(' and ');
