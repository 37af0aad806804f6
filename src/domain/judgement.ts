import { leading } from './board.js';
import { causeName } from './cause.js';
import type { Evidence } from './evidence.js';
import type { Hypothesis } from './hypothesis.js';
import type { EvidenceId } from './ids.js';
import type { ProposalDraft } from './proposal.js';

/** What a proposal is judged by before policy sees it (DESIGN 4). */
export interface Foundation {
  readonly board: readonly Hypothesis[];
  readonly evidence: readonly Evidence[];
}

/**
 * What is missing before the proposal may be ruled on; empty when it is well founded. The words go back to the
 * reasoner.
 */
export function whatIsMissing(draft: ProposalDraft, foundation: Foundation): string[] {
  const hypothesis = foundation.board.find((h) => causeName(h.cause) === causeName(draft.cause));
  if (!hypothesis) return [`no hypothesis on the board names the cause ${causeName(draft.cause)}`];
  return [
    ...leads(hypothesis, foundation.board),
    ...supported(hypothesis),
    ...cites(draft, foundation.evidence),
    ...couldHaveBeenRefuted(hypothesis, foundation.evidence),
    ...anAlternative(hypothesis, foundation.board),
    ...(draft.steps.length === 0 ? ['the proposal has no step'] : []),
  ];
}

function leads(hypothesis: Hypothesis, board: readonly Hypothesis[]): string[] {
  const first = leading(board);
  return first?.id === hypothesis.id ? [] : [`${hypothesis.id} does not lead the board; ${first?.id ?? 'none'} does`];
}

const supported = ({ id, status }: Hypothesis): string[] =>
  status === 'supported' || status === 'confirmed' ? [] : [`${id} is ${status}, not supported`];

function cites(draft: ProposalDraft, evidence: readonly Evidence[]): string[] {
  const known = new Set<EvidenceId>(evidence.map((e) => e.id));
  const unknown = draft.evidence.filter((id) => !known.has(id));
  if (draft.evidence.length === 0) return ['the proposal cites no evidence'];
  return unknown.length > 0 ? [`the proposal cites evidence that does not exist: ${unknown.join(', ')}`] : [];
}

/** A look beyond the picture whose answer is weighed in this hypothesis: it could have gone the other way. */
function couldHaveBeenRefuted(hypothesis: Hypothesis, evidence: readonly Evidence[]): string[] {
  const looks = new Set(evidence.filter((e) => e.call !== null && e.exit !== null).map((e) => e.id));
  const tested = [...hypothesis.for, ...hypothesis.against].some((id) => looks.has(id));
  return tested ? [] : [`no look that could have refuted ${hypothesis.id} was run and answered`];
}

const anAlternative = (hypothesis: Hypothesis, board: readonly Hypothesis[]): string[] =>
  board.some((other) => other.id !== hypothesis.id) ? [] : ['no alternative to the leading hypothesis was considered'];
