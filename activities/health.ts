import type { Instant } from '../src/domain/ids.js';
import { fingerprint, isWhole, type Violation } from '../src/domain/violation.js';
import type { Subject } from '../subjects/protocol.js';

/** Everything that is broken in this very picture, without any grace. */
export function brokenIn<P>(subject: Subject<P>, picture: P, at: Instant): Violation[] {
  return filing(subject).flatMap((invariant) =>
    invariant.check(picture).broken.map((broken) => ({
      ...broken,
      invariant: invariant.name,
      fingerprint: fingerprint(subject.name, invariant.name, broken.target),
      since: at,
    })),
  );
}

/** Invariants that this picture cannot judge, or not for every target. */
export const unknownIn = <P>(subject: Subject<P>, picture: P): string[] =>
  filing(subject)
    .filter((invariant) => !isWhole(invariant.check(picture)))
    .map((invariant) => invariant.name);

const filing = <P>(subject: Subject<P>) => subject.invariants.filter((invariant) => invariant.use === 'files');
