import type { Invariant } from '../../../subjects/protocol.js';
import type { Digest } from '../../domain/digest.js';
import type { NextStep } from '../../domain/next-step.js';
import { isWhole } from '../../domain/violation.js';
import type { Board } from './board.js';
import { hasActed } from './has-acted.js';
import { lookAgain } from './looks.js';

export interface Calm<P> {
  readonly digest: Digest;
  readonly checks: readonly Invariant<P>[];
  readonly picture: P;
}

/**
 * "It was transient" is said only when nothing is violated, everything that files was judged in the fresh picture, and
 * no act ran: after an act the proof decides, not the reasoner.
 */
export function concludeCalm<P>({ digest, checks, picture }: Calm<P>): NextStep | null {
  if (digest.violations.length > 0 || hasActed(digest)) return null;
  const filing = checks.filter(({ use }) => use === 'files').map((invariant) => invariant.check(picture));
  const isCalm = filing.every((check) => isWhole(check) && check.broken.length === 0);
  if (!isCalm) return null;
  const gone = digest.cleared.map(({ violation }) => violation.message).join('; ');
  const { evidence, lines } = digest.picture;
  return {
    kind: 'conclude',
    conclusion: 'transient',
    why: `everything holds in the fresh picture (${lines[0] ?? evidence}) and nothing was done${gone && `; gone: ${gone}`}`,
    evidence: [evidence],
  };
}

/**
 * What the ticket is about no longer shows and nothing was done: it is watched until it has cleared or is back, instead
 * of being handed over in between. Not when something else explains it, or when turns run out.
 */
export function waitForClear<P>({ digest, checks, picture, board }: Calm<P> & { readonly board: Board<P> }) {
  const about = new Set(digest.violations.map(({ invariant }) => invariant));
  const counts = checks.filter(({ name, use }) => use === 'files' || about.has(name));
  const isBroken = counts.some((invariant) => invariant.check(picture).broken.length > 0);
  const isExplained = board.some(({ assessment }) => assessment.status === 'supported');
  if (isBroken || isExplained || hasActed(digest)) return null;
  const [first] = board;
  return first ? lookAgain(digest, first.suspect, 'nothing is violated in the fresh picture: does it stay so?') : null;
}
