import type { Invariant } from '../../../subjects/protocol.js';
import type { Digest } from '../../domain/digest.js';
import type { NextStep } from '../../domain/next-step.js';
import { isWhole } from '../../domain/violation.js';

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
  if (digest.violations.length > 0 || digest.proposals.some(({ end }) => end === 'ran' || end === 'undone'))
    return null;
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

/** Did any plan of this ticket run? Then nothing that is well now is known to have become so by itself. */
export const hasActed = ({ proposals }: Digest): boolean =>
  proposals.some(({ end }) => end === 'ran' || end === 'undone');
