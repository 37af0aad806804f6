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
  /** The subject's closed list of cause classes; empty: it is not known, and only `other` is refused. */
  readonly causes: readonly string[];
}

/**
 * What is missing before the proposal may be ruled on; empty when it is well founded. The words go back to the
 * reasoner.
 */
export function whatIsMissing(draft: ProposalDraft, foundation: Foundation): string[] {
  const hypothesis = foundation.board.find((h) => causeName(h.cause) === causeName(draft.cause));
  if (!hypothesis) return [`no hypothesis on the board names the cause ${causeName(draft.cause)}`];
  return [
    ...ofClosedList(draft, foundation.causes),
    ...leads(hypothesis, foundation.board),
    ...supported(hypothesis),
    ...cites(draft, foundation.evidence),
    ...aTest(draft, hypothesis, foundation.evidence),
    ...anAlternative(draft, foundation.board),
    ...(draft.steps.length === 0 ? ['the proposal has no step'] : []),
  ];
}

/** `other` has no test, so what is done about it could never be proven. */
function ofClosedList({ cause }: ProposalDraft, causes: readonly string[]): string[] {
  if (cause.class === 'other') return ['the cause `other` can never be proven gone, so nothing may be done about it'];
  if (causes.length === 0 || causes.includes(cause.class)) return [];
  return [`${cause.class} is no cause of this subject; it knows ${causes.join(', ')}`];
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

/** One look beyond the picture that is weighed in this hypothesis and could have gone the other way, by name. */
function aTest(draft: ProposalDraft, hypothesis: Hypothesis, evidence: readonly Evidence[]): string[] {
  // A draft of an older history names none.
  const { test }: Partial<ProposalDraft> = draft;
  if (!test) return [`the proposal names no look that could have refuted ${hypothesis.id}`];
  const look = evidence.find(({ id }) => id === test.evidence);
  if (!look) return [`the named test ${test.evidence} does not exist`];
  if (!isAnsweredLook(look))
    return [`the named test ${look.id} is ${look.call ? 'a look without an answer' : 'a picture'}`];
  return [
    ...(citesOf(hypothesis).includes(look.id) ? [] : [`the named test ${look.id} is not cited by ${hypothesis.id}`]),
    ...(isBlank(test.wouldHaveRefuted) ? [`what in ${look.id} would have refuted ${hypothesis.id} is not said`] : []),
  ];
}

/** One other explanation that was looked into, by name. */
function anAlternative(draft: ProposalDraft, board: readonly Hypothesis[]): string[] {
  const { alternative }: Partial<ProposalDraft> = draft;
  if (!alternative) return ['the proposal names no alternative that was considered'];
  const name = causeName(alternative.cause);
  if (name === causeName(draft.cause)) return ['the named alternative is the cause itself'];
  const other = board.find((h) => causeName(h.cause) === name);
  if (!other) return [`the named alternative ${name} is not on the board`];
  return [
    ...(citesOf(other).length > 0 ? [] : [`no evidence was weighed for the named alternative ${other.id}`]),
    ...(isBlank(alternative.why) ? [`why ${other.id} is not the cause is not said`] : []),
  ];
}

export interface UpstreamQuestion extends Omit<Foundation, 'causes'> {
  /** Classes of causes that make healthy members look short of capacity; empty: the proposal adds or moves none. */
  readonly upstream: readonly string[];
  readonly cause: ProposalDraft['cause'];
}

/**
 * What is missing before capacity may be added, moved or restarted: each upstream cause on the board, refuted by an
 * answered look. The proposal's own cause is judged by {@link whatIsMissing}. Where it comes from: "add capacity" is what
 * a correlated symptom suggests again and again while a dead or cut-off member is the cause.
 */
export function upstreamMissing({ upstream, cause, board, evidence }: UpstreamQuestion): string[] {
  const looks = new Set(evidence.filter(isAnsweredLook).map(({ id }) => id));
  return upstream
    .filter((name) => name !== cause.class)
    .flatMap((name) => {
      const suspects = board.filter((h) => h.cause.class === name);
      if (suspects.length === 0) return [`${UPSTREAM} ${name}, which is not on the board`];
      return suspects.flatMap((h) => unrefuted(h, looks)).map((words) => `${UPSTREAM} ${words}`);
    });
}

const UPSTREAM = 'what is healthy is not restarted, moved or added to before a look refutes';

function unrefuted(h: Hypothesis, looks: ReadonlySet<EvidenceId>): string[] {
  if (h.status !== 'refuted') return [`${causeName(h.cause)}: ${h.id} is ${h.status}`];
  return h.against.some((id) => looks.has(id)) ? [] : [`${causeName(h.cause)}: ${h.id} is refuted by no answered look`];
}

const isAnsweredLook = ({ call, exit }: Evidence): boolean => call !== null && exit !== null;

const citesOf = (h: Hypothesis): readonly EvidenceId[] => [...h.for, ...h.against];

const isBlank = (text: string): boolean => text.trim() === '';
