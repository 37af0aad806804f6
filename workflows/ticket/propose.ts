import { uuid4 } from '@temporalio/workflow';
import { canBeMet } from '../../src/domain/approval.js';
import { causeName } from '../../src/domain/cause.js';
import { whatChanged } from '../../src/domain/changes.js';
import type { PastProposal } from '../../src/domain/digest.js';
import { proposalId } from '../../src/domain/ids.js';
import { upstreamMissing, whatIsMissing } from '../../src/domain/judgement.js';
import { noteFailedProposal, noteNews } from '../../src/domain/progress.js';
import type { Proposal, ProposalDraft } from '../../src/domain/proposal.js';
import type { Pending } from '../../src/domain/ticket.js';
import type { Judgement } from '../activity-contract.js';
import { judging } from '../activity-options.js';
import { settleAmendment } from './amend.js';
import { escalate } from './escalate.js';
import type { Inbox } from './messages.js';
import type { TicketRun } from './run.js';

/** A draft that is not well founded goes back with what is missing; a founded one gets a number and a fresh id. */
export function draftProposal(run: TicketRun, draft: ProposalDraft): void {
  run.move('proposed', draft.title);
  const { ticket } = run;
  const missing = whatIsMissing(draft, ticket);
  const hypothesis = ticket.board.find((h) => causeName(h.cause) === causeName(draft.cause));
  if (missing.length > 0 || !hypothesis) {
    run.happen({ type: 'returned', missing });
    run.refuse(...missing);
    run.account(noteFailedProposal(run.ticket.progress, draft, missing.join('; ')));
    return run.move('notFounded', missing.join('; '));
  }
  const number = ticket.proposals.length + 1;
  const proposal = {
    id: proposalId(uuid4()),
    number,
    at: run.now(),
    turn: ticket.turn,
    title: draft.title,
    hypothesis: hypothesis.id,
    cause: draft.cause,
    evidence: draft.evidence,
    test: draft.test,
    alternative: draft.alternative,
    effect: draft.effect,
    risk: draft.risk,
    steps: [],
  };
  const past: PastProposal = { number, title: draft.title, cause: draft.cause, ruling: null, end: null, note: '' };
  run.change({
    proposals: [...ticket.proposals, past],
    pending: {
      proposal,
      drafts: draft.steps,
      ruling: null,
      basis: [],
      basisHash: '',
      rate: null,
      expiresAt: null,
      approvedBy: null,
      rejudged: 0,
    },
  });
}

/** Three refusals of policy in one ticket, and a person looks at it. */
const MAX_REFUSALS = 3;

/** Rules on the pending proposal with current policy and fresh facts, and moves accordingly. */
export async function judgeProposal(run: TicketRun, inbox: Inbox): Promise<void> {
  const { pending } = run.ticket;
  if (!pending) return run.move('notFounded', 'nothing is proposed');
  const { steps: _, ...proposal } = pending.proposal;
  const judged = await judging.judge.executeWithOptions({ summary: `rule on #${proposal.number}: ${proposal.title}` }, [
    { ticket: run.ticket.id, agent: run.ticket.agent, phase: run.ticket.phase, proposal, drafts: pending.drafts },
  ]);
  const first = pending.ruling === null;
  run.change({
    pending: {
      ...{ ...pending, ...judged, proposal: named(pending, judged) },
      ...{ expiresAt: null, approvedBy: null, approvals: [], changes: changesOf(pending, judged) },
    },
    brokenBefore: run.ticket.firstActAt ? run.ticket.brokenBefore : judged.broken,
  });
  noteProposal(run, { ruling: judged.ruling.kind });
  if (first) run.happen({ type: 'proposed', proposal: judged.proposal });
  const missing = upstreamOf(run, judged);
  if (settleAmendment(run, inbox, { judged, missing })) return tellRuling(run, judged);
  if (missing.length > 0) return sendBack(run, missing);
  tellRuling(run, judged);
  const words = `${judged.ruling.kind}: ${judged.ruling.reason}`;
  switch (judged.ruling.kind) {
    case 'read':
    case 'pre-approved':
      return run.move('permitted', words);
    case 'needs-approval':
      return run.move('needsPerson', words);
    case 'unproven':
      if (judged.need && canBeMet(judged.need)) return run.move('needsPerson', words);
      dropProposal(run, { end: 'refused', note: words });
      return escalate(run, `#${proposal.number} cannot be ruled on: ${judged.ruling.reason}`);
    case 'forbidden':
      return forbid(run, words);
  }
}

/** Judged in another run, it was reset since: whatever was answered to it before names an id that is no more. */
const named = (pending: Pending, { proposal, run }: Judgement): Proposal =>
  pending.run === undefined || pending.run === run ? proposal : { ...proposal, id: proposalId(uuid4()) };
function tellRuling(run: TicketRun, { proposal, ruling, steps, basisHash, margin }: Judgement): void {
  run.happen({ type: 'ruled', proposal: proposal.number, ruling, steps, basisHash, margin });
}

/** Of a plan that was ruled on before: what is different now; `undefined`: it is new. */
function changesOf({ ruling, basis, changes: told = [] }: Pending, judged: Judgement): readonly string[] | undefined {
  if (!ruling) return undefined;
  return whatChanged({ before: { ruling, basis }, now: judged, told });
}

/** What policy forbids is refused as such; anything else must first be founded. */
function upstreamOf(run: TicketRun, { ruling, proposal, upstream = [] }: Judgement): readonly string[] {
  if (ruling.kind === 'forbidden') return [];
  const { board, evidence } = run.ticket;
  return upstreamMissing({ upstream, cause: proposal.cause, board, evidence });
}

function sendBack(run: TicketRun, missing: readonly string[]): void {
  const words = missing.join('; ');
  run.happen({ type: 'returned', missing });
  dropProposal(run, { end: 'returned', note: words });
  run.refuse(...missing);
  run.move('notFounded', words);
}

async function forbid(run: TicketRun, words: string): Promise<void> {
  const number = run.ticket.pending?.proposal.number;
  dropProposal(run, { end: 'refused', note: words });
  run.refuse(`#${number} ${words}`);
  const refused = run.ticket.proposals.filter((p) => p.end === 'refused' && p.by === undefined).length;
  if (refused >= MAX_REFUSALS) return escalate(run, `policy refused ${refused} proposals, the last: ${words}`);
  run.move('refused', words);
}

/** Writes what became of the pending proposal into the list of past ones. */
export function noteProposal(run: TicketRun, part: Partial<PastProposal>): void {
  const number = run.ticket.pending?.proposal.number;
  run.change({ proposals: run.ticket.proposals.map((p) => (p.number === number ? { ...p, ...part } : p)) });
}

/** The pending proposal is over. */
export function dropProposal(run: TicketRun, part: Pick<PastProposal, 'end' | 'note'>): void {
  const { pending } = run.ticket;
  noteProposal(run, part);
  run.change({ pending: null });
  if (pending) run.account(part.end === 'ran' ? noteNews(run.ticket.progress) : cameToNothing(run, pending, part));
}

/** Notes hold ages and keys; how it ended, and the code of a refusal, are what can be the same again. */
function cameToNothing(
  run: TicketRun,
  { proposal, drafts, ruling }: Pending,
  part: Pick<PastProposal, 'end' | 'note'>,
) {
  const why = part.end === 'returned' ? part.note : [part.end, ruling?.code ?? ''].join(' ').trim();
  const { title, cause } = proposal;
  return noteFailedProposal(run.ticket.progress, { title, cause, steps: drafts }, why);
}
