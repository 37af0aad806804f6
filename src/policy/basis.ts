import { canonical } from '../domain/canonical.js';
import type { Instant, Target } from '../domain/ids.js';
import type { Basis, BasisFact, Inverse, Step } from '../domain/proposal.js';
import { callBytes } from '../domain/query.js';
import { actedOn, impairedElsewhere } from './impaired.js';
import { type Margin, tightest, whyUnreadable } from './quorum.js';
import type { QuorumPicture } from './quorum-picture.js';
import type { Influence } from './row.js';

export interface BasisInput {
  readonly step: Step;
  readonly influence: Influence;
  readonly quorum: QuorumPicture;
  readonly precondition: { readonly verdict: string } | null;
  readonly targetFacts: readonly BasisFact[];
  readonly now: Instant;
  readonly maxPictureAgeMs: number;
}

/**
 * The facts a ruling rests on, always in the same order and without times, ages or leaders: as long as nothing that
 * matters changes, so does none of them, however busy the cluster is.
 */
export function basisOf({ step, influence, quorum, precondition, targetFacts, ...clock }: BasisInput): Basis {
  const member = quorum.members.find(({ id }) => id === step.target);
  const elsewhere = impairedElsewhere(quorum, [...actedOn(quorum, influence), step.target]);
  const margin = tightest(quorum, influence.takesAway);
  const unreadable = whyUnreadable({ picture: quorum, ...clock });
  return [
    ...[...targetFacts].sort((a, b) => (a.fact < b.fact ? -1 : 1)),
    ...(member ? [equal(`${step.target} alive`, member.alive)] : []),
    { fact: 'impaired elsewhere', value: elsewhere.map(({ id }) => id).join(', ') || 'none', compare: 'fewer' },
    { fact: 'gaps in the picture', value: unreadable ? 'it cannot be relied on' : 'none', compare: 'fewer' },
    ...(margin && !unreadable ? [spare(margin)] : []),
    equal('precondition', precondition?.verdict ?? 'none'),
    equal('command', callBytes(step.call)),
    equal('undo', inverseBytes(step.inverse)),
  ];
}

/** The facts of step `number` as they stand in the basis of the whole proposal. */
export const ofStep = (number: number, basis: Basis): Basis =>
  basis.map((fact) => ({ ...fact, fact: `step ${number}: ${fact.fact}` }));

/** The tightest group in words, for screens. */
export function marginWords(quorum: QuorumPicture, victims: readonly Target[]): string {
  const margin = tightest(quorum, victims);
  if (!margin) return 'no group';
  return `tightest group ${margin.group}: ${margin.live} of ${margin.voters} live, ${margin.need} needed`;
}

const equal = (fact: string, value: string): BasisFact => ({ fact, value, compare: 'equal' });

const spare = ({ spare: value }: Margin): BasisFact => ({ fact: 'tightest quorum margin', value, compare: 'margin' });

const inverseBytes = (inverse: Inverse): string =>
  canonical(inverse.kind === 'restore' ? { kind: inverse.kind, call: inverse.call } : { kind: inverse.kind });
