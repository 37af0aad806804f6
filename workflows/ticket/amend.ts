import { uuid4 } from '@temporalio/workflow';
import type { Amendment } from '../../src/domain/amendment.js';
import type { PastProposal } from '../../src/domain/digest.js';
import { proposalId } from '../../src/domain/ids.js';
import { noteNews } from '../../src/domain/progress.js';
import type { Pending } from '../../src/domain/ticket.js';
import type { Judgement } from '../activity-contract.js';
import type { Inbox } from './messages.js';
import type { TicketRun } from './run.js';

/**
 * A person's steps in place of those that wait: a proposal of its own, with a number and an id of its own, to be judged from
 * scratch. The plan that it amends is kept until the kernel has ruled.
 */
export function amendPending(run: TicketRun, { by, note, steps, title }: Amendment): void {
  const { pending, proposals } = run.ticket;
  if (!pending) return run.move('expired', 'nothing is pending');
  const number = proposals.length + 1;
  const old = pending.proposal;
  const named = title ?? old.title;
  const proposal = { ...old, id: proposalId(uuid4()), number, at: run.now(), title: named, by, steps: [] };
  const past: PastProposal = { number, title: named, by, cause: old.cause, ruling: null, end: null, note: '' };
  run.change({
    proposals: [...proposals, past],
    progress: noteNews(run.ticket.progress),
    pending: {
      ...{ proposal, drafts: steps, ruling: null, basis: [], basisHash: '', rate: null },
      ...{ expiresAt: null, approvedBy: null, rejudged: 0, amends: withoutQuestion(pending) },
    },
  });
  run.happen({ type: 'amended', proposal: old.number, to: number, by, note });
  run.move('amended', `#${old.number} amended by ${by}: ${note}`);
}

const withoutQuestion = (pending: Pending): Pending => ({ ...pending, expiresAt: null, approvedBy: null });

/**
 * Tells the person what the kernel says of an amendment. One that must not run, or cannot be ruled on, is refused: the
 * plan that it amended is pending again and is judged anew, with the refusal beside it. One that stands replaces it.
 *
 * @returns whether it was refused
 */
export function settleAmendment(
  run: TicketRun,
  inbox: Inbox,
  { judged, missing }: { readonly judged: Judgement; readonly missing: readonly string[] },
): boolean {
  const { pending } = run.ticket;
  if (!pending?.amends) return false;
  const { proposal, amends } = pending;
  const ruling = missing.length > 0 ? { kind: 'forbidden' as const, reason: missing.join('; ') } : judged.ruling;
  const { number } = proposal;
  if (STANDS.includes(ruling.kind)) {
    noteEnd(run, amends.proposal.number, { end: 'amended', note: `by ${proposal.by}, as #${number}` });
    run.change({ pending: { ...pending, amends: undefined } });
    answer(inbox, { kind: 'stands', number, proposal: proposal.id, basisHash: pending.basisHash, ruling });
    return false;
  }
  const words = `${ruling.kind}: ${ruling.reason}`;
  noteEnd(run, number, { end: 'refused', note: words });
  run.change({ pending: { ...amends, changes: [`#${number} by ${proposal.by} was refused, ${words}`] } });
  answer(inbox, { kind: 'refused', number, ruling });
  return true;
}

const STANDS: readonly string[] = ['read', 'pre-approved', 'needs-approval'];

function noteEnd(run: TicketRun, number: number, part: Pick<PastProposal, 'end' | 'note'>): void {
  run.change({ proposals: run.ticket.proposals.map((p) => (p.number === number ? { ...p, ...part } : p)) });
}

function answer(inbox: Inbox, said: NonNullable<Inbox['amendment']>['answer']): void {
  if (inbox.amendment) inbox.amendment.answer = said;
  inbox.amendment = null;
}
