import { causeName } from '../../domain/cause.js';
import type { Digest, PastProposal } from '../../domain/digest.js';
import type { Target } from '../../domain/ids.js';
import type { NextStep } from '../../domain/next-step.js';
import type { Board, Judged } from './board.js';

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
  if (!leading) return escalate(`nothing explains what is wrong with ${target}`, board);
  if (rival && leading.assessment.confidence - rival.assessment.confidence < TELLS_APART)
    return escalate(`${nameOf(leading)} and ${nameOf(rival)} cannot be told apart`, board);
  const { ending, cure } = leading.suspect;
  if (ending) return conclude(leading, ending);
  if (!cure)
    return escalate(`${nameOf(leading)}: ${leading.assessment.because}. The catalogue has no cure for it`, board);
  const obstacle = obstacleOf(digest, leading);
  return obstacle ? escalate(`${nameOf(leading)}: ${obstacle}`, board) : propose(leading, cure);
}

function propose<P>({ suspect, assessment }: Judged<P>, cure: NonNullable<Judged<P>['suspect']['cure']>): NextStep {
  return { kind: 'propose', proposal: { ...cure, cause: suspect.cause, evidence: assessment.for } };
}

function conclude<P>(
  { assessment }: Judged<P>,
  { conclusion, why }: NonNullable<Judged<P>['suspect']['ending']>,
): NextStep {
  return { kind: 'conclude', conclusion, why: `${why} (${assessment.because})`, evidence: assessment.for };
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
