import type { Assessment, Facts, Suspect } from '../../../subjects/protocol.js';
import type { Digest } from '../../domain/digest.js';
import type { HypothesisUpdate } from '../../domain/hypothesis.js';
import type { EvidenceId } from '../../domain/ids.js';

/** A suspect with what the facts say about it. */
export interface Judged<P> {
  readonly suspect: Suspect<P>;
  readonly assessment: Assessment;
}

/** All suspects of a rule, in its order. */
export type Board<P> = readonly Judged<P>[];

export function assess<P>(suspects: readonly Suspect<P>[], facts: Facts<P>): Board<P> {
  return suspects.map((suspect) => ({ suspect, assessment: suspect.assess(facts) }));
}

/** What goes onto the ticket's board. Only evidence that the digest holds is cited, whatever a rule may name. */
export function updatesOf<P>(board: Board<P>, { evidence, picture }: Digest): readonly HypothesisUpdate[] {
  const real = new Set<EvidenceId>([picture.evidence, ...evidence.map(({ id }) => id)]);
  const cited = (ids: readonly EvidenceId[]) => ids.filter((id) => real.has(id));
  return board.map(({ suspect: { cause, claim }, assessment: { status, confidence, because, ...grounds } }) => ({
    cause,
    claim,
    status,
    confidence,
    because,
    for: cited(grounds.for),
    against: cited(grounds.against),
  }));
}
