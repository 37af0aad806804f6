import type { EvidenceId } from '../../../src/domain/ids.js';
import type { Assessment } from '../../protocol.js';

/** Evidence on both sides; a look that was not made yet has no id and drops out. */
export interface Grounds {
  readonly for?: readonly (EvidenceId | null)[];
  readonly against?: readonly (EvidenceId | null)[];
}

export const supported = (confidence: number, because: string, grounds: Grounds): Assessment =>
  assessment('supported', confidence, because, grounds);

export const refuted = (because: string, grounds: Grounds): Assessment =>
  assessment('refuted', REFUTED, because, grounds);

export const open = (confidence: number, because: string, grounds: Grounds = {}): Assessment =>
  assessment('open', confidence, because, grounds);

/** Open, and time alone will tell. */
export const tooEarly = (confidence: number, because: string, grounds: Grounds = {}): Assessment => ({
  ...assessment('open', confidence, because, grounds),
  tooEarly: true,
});

/** Open, and nothing that Medic can look at decides it; `decidedBy` names what would. */
export const undecided = (because: string, decidedBy: string, grounds: Grounds = {}): Assessment => ({
  ...assessment('open', UNDECIDED, because, grounds),
  decidedBy,
});

const UNDECIDED = 0.45;

/** What is left for a fact that our own looks may have got wrong. */
const REFUTED = 0.02;

function assessment(status: Assessment['status'], confidence: number, because: string, grounds: Grounds): Assessment {
  return { status, confidence, because, for: ids(grounds.for), against: ids(grounds.against) };
}

function ids(list: Grounds['for'] = []): readonly EvidenceId[] {
  return [...new Set(list.filter((id) => id !== null))];
}
