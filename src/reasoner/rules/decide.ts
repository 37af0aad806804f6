import type { Cure, Ending } from '../../../subjects/protocol.js';
import { causeName } from '../../domain/cause.js';
import type { Digest, PastProposal } from '../../domain/digest.js';
import type { EvidenceId, Target } from '../../domain/ids.js';
import type { NextStep } from '../../domain/next-step.js';
import type { NamedAlternative } from '../../domain/proposal.js';
import type { Board, Judged } from './board.js';
import { lookAgain } from './looks.js';

export interface Decision<P> {
  readonly digest: Digest;
  readonly board: Board<P>;
  /** What the rule was followed for. */
  readonly target: Target;
}

/** Two explanations nearer than this are not told apart. */
const TELLS_APART = 0.15;
/** So often a plan may fail to be carried out, or to be accepted, before a person is asked. */
const PATIENCE = 3;

/** What follows from the board when everything was looked at. */
export function decide<P>({ digest, board, target }: Decision<P>): NextStep {
  const standing = byConfidence(board.filter(({ assessment }) => assessment.status === 'supported'));
  const [leading, rival] = standing;
  if (!leading) return escalate(undecidedWords(board) ?? `nothing explains what is wrong with ${target}`, board);
  if (rival && leading.assessment.confidence - rival.assessment.confidence < TELLS_APART)
    return escalate(`${nameOf(leading)} and ${nameOf(rival)} cannot be told apart`, board);
  const { ending, cure } = leading.suspect;
  if (ending) return conclude({ digest, board, leading, ending });
  if (!cure)
    return escalate(`${nameOf(leading)}: ${leading.assessment.because}. The catalogue has no cure for it`, board);
  const obstacle = obstacleOf(digest, leading);
  return obstacle ? escalate(`${nameOf(leading)}: ${obstacle}`, board) : propose({ digest, board, leading, cure });
}

interface Proposing<P> extends Pick<Decision<P>, 'digest' | 'board'> {
  readonly leading: Judged<P>;
  readonly cure: Cure;
}

/** Names the look that could have gone the other way and the alternative that was weighed; without them it is a guess. */
function propose<P>({ digest, board, leading, cure }: Proposing<P>): NextStep {
  const test = testOf(digest, leading);
  const alternative = alternativeOf(board, leading);
  if (!test || !alternative) {
    const lack = test ? 'nothing else was weighed against it' : 'no look that could have refuted it was answered';
    return escalate(`${nameOf(leading)}: ${leading.assessment.because}, but ${lack}`, board);
  }
  const { wouldHaveRefuted, ...plan } = cure;
  const { suspect, assessment } = leading;
  const grounds = { evidence: assessment.for, test: { evidence: test, wouldHaveRefuted }, alternative };
  return { kind: 'propose', proposal: { ...plan, cause: suspect.cause, ...grounds } };
}

/** The first answered look that the assessment weighs. */
function testOf<P>({ evidence }: Digest, { assessment }: Judged<P>): EvidenceId | null {
  const looks = new Set(evidence.filter(({ call, exit }) => call !== null && exit !== null).map(({ id }) => id));
  return [...assessment.for, ...assessment.against].find((id) => looks.has(id)) ?? null;
}

/** The likeliest other suspect for which evidence was weighed. */
function alternativeOf<P>(board: Board<P>, leading: Judged<P>): NamedAlternative | null {
  const weighed = board.filter(
    (other) => other !== leading && other.assessment.for.length + other.assessment.against.length > 0,
  );
  const [other] = byConfidence(weighed);
  return other ? { cause: other.suspect.cause, why: `${other.assessment.status}, ${other.assessment.because}` } : null;
}

interface Concluding<P> extends Pick<Decision<P>, 'digest' | 'board'> {
  readonly leading: Judged<P>;
  readonly ending: Ending;
}

/** What the fresh picture does not show (any more) is looked at again: it will not be accepted as expected. */
function conclude<P>({ digest, board, leading, ending }: Concluding<P>): NextStep {
  const { suspect, assessment } = leading;
  const { conclusion, expectation, why } = ending;
  const isSeen = digest.expected.some(({ kind, target }) => kind === expectation && target === suspect.cause.target);
  if (digest.refusals.length >= PATIENCE)
    return escalate(`${nameOf(leading)}: its end was not accepted: ${digest.refusals.at(-1) ?? ''}`, board);
  if (conclusion === 'expected' && !isSeen) {
    const words = `${assessment.because}, which the picture does not show`;
    return lookAgain(digest, suspect, words) ?? escalate(`${nameOf(leading)}: ${words}`, board);
  }
  return {
    kind: 'conclude',
    conclusion,
    ...(expectation ? { expectation } : {}),
    why: `${why} (${assessment.because})`,
    evidence: assessment.for,
  };
}

/** Why the cure is not to be proposed (again). */
function obstacleOf<P>({ proposals, refusals }: Digest, { suspect: { cause } }: Judged<P>): string | null {
  const tried = proposals.filter((past) => causeName(past.cause) === causeName(cause));
  const ended = tried.find(({ end }) => end !== null && end !== 'not-run');
  if (ended) return `proposal #${ended.number} was ${endWords(ended)}, and it has not helped`;
  if (tried.filter(({ end }) => end === 'not-run').length >= PATIENCE)
    return `its cure could not be run ${PATIENCE} times (${tried.at(-1)?.note ?? ''})`;
  return refusals.length >= PATIENCE ? `its cure was not accepted: ${refusals.at(-1) ?? ''}` : null;
}

function endWords({ end, note }: PastProposal): string {
  const said = note === '' ? '' : ` (${note})`;
  return end === 'ran' ? `carried out${said}` : `${end}${said}`;
}

function escalate<P>(why: string, board: Board<P>): NextStep {
  const refuted = board.filter(({ assessment }) => assessment.status === 'refuted').map(wordsOf);
  const open = board.filter(({ assessment }) => assessment.status === 'open').map(wordsOf);
  const parts = [why, list('Ruled out', refuted), list('Not decided', open)];
  return { kind: 'escalate', why: parts.filter((part) => part !== '').join('. ') };
}

/** What these signals cannot separate, and what would; `null` when no suspect is left that more access could decide. */
function undecidedWords<P>(board: Board<P>): string | null {
  const left = board.filter(({ assessment }) => assessment.status === 'open' && assessment.decidedBy);
  const deciders = [...new Set(left.flatMap(({ assessment }) => assessment.decidedBy ?? []))];
  const names = left.map(nameOf);
  if (names.length === 0) return null;
  const what = names.length === 1 ? `${names[0]} is possible, not shown` : `cannot tell between ${joined(names)}`;
  return `${what}. What would decide: ${deciders.join('; ')}`;
}

const joined = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

function list(title: string, words: readonly string[]): string {
  return words.length === 0 ? '' : `${title}: ${words.join('; ')}`;
}

function wordsOf<P>({ suspect, assessment }: Judged<P>): string {
  const cited = [...assessment.against, ...assessment.for];
  return `${causeName(suspect.cause)} (${[assessment.because, ...cited].join(', ')})`;
}

const nameOf = <P>({ suspect }: Judged<P>): string => causeName(suspect.cause);

function byConfidence<P>(list: readonly Judged<P>[]): readonly Judged<P>[] {
  return [...list].sort((a, b) => b.assessment.confidence - a.assessment.confidence);
}
