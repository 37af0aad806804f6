import type { Suspect } from '../../../subjects/protocol.js';
import type { Digest } from '../../domain/digest.js';
import { isNotAvailable } from '../../domain/evidence.js';
import { MAX_CALLS_PER_LOOK, type NextStep } from '../../domain/next-step.js';
import { type Call, callBytes } from '../../domain/query.js';
import type { Board } from './board.js';
import { asked } from './facts.js';
import { hasActed } from './has-acted.js';

/** Every look of the suspects, each once. */
export function looksOf<P>(suspects: readonly Suspect<P>[]): readonly Call[] {
  return [...new Map(suspects.flatMap(({ looks }) => looks).map((call) => [callBytes(call), call])).values()];
}

/** A host that fails to run a command may be busy: it is asked twice before that counts as its answer. */
const TRIES = 2;
/** Turns that are kept for the end of the story when only time can tell. */
const TURNS_IN_RESERVE = 3;

/** The looks to be made now, or `null` when everything that can be seen has been seen. */
export function nextLooks<P>({ digest, board }: { digest: Digest; board: Board<P> }): NextStep | null {
  const calls = looksOf(board.map(({ suspect }) => suspect));
  const missing = calls.filter((call) => isMissing(digest, call));
  if (missing.length > 0) return look(missing, `to tell apart: ${claims(board)}`);
  if (digest.left.turns <= TURNS_IN_RESERVE) return null;
  return waitingForFacts(digest, calls) ?? waitingForTime(board);
}

/** Nothing is violated any more, yet not everything could be judged: a second look settles it. */
function waitingForFacts(digest: Digest, calls: readonly Call[]): NextStep | null {
  if (digest.violations.length > 0 || hasActed(digest) || calls.length === 0) return null;
  return look(calls, 'nothing is violated in the picture, but not everything could be judged');
}

/** The looks of one suspect once more; `null` when the turns that are left are for the end of the story. */
export function lookAgain<P>({ left }: Digest, suspect: Suspect<P>, why: string): NextStep | null {
  return left.turns <= TURNS_IN_RESERVE || suspect.looks.length === 0 ? null : look(suspect.looks, why);
}

function waitingForTime<P>(board: Board<P>): NextStep | null {
  const early = board.filter(({ assessment }) => assessment.tooEarly);
  if (early.length === 0 || hasStanding(board)) return null;
  const why = early.map(({ assessment }) => assessment.because).join('; ');
  return look(looksOf(early.map(({ suspect }) => suspect)), `too early to tell: ${why}`);
}

function isMissing(digest: Digest, call: Call): boolean {
  const answers = asked(digest, call);
  if (answers.some(({ failure }) => isNotAvailable(failure))) return false;
  if (call.kind === 'shell' && answers.length < TRIES) return answers.every(({ exit }) => exit === null);
  return answers.length === 0;
}

const hasStanding = <P>(board: Board<P>): boolean => board.some(({ assessment }) => assessment.status === 'supported');

const claims = <P>(board: Board<P>): string => board.map(({ suspect }) => suspect.claim).join(' | ');

function look(calls: readonly Call[], why: string): NextStep {
  return { kind: 'look', why, calls: calls.slice(0, MAX_CALLS_PER_LOOK) };
}
