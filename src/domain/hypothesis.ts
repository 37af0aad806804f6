import type { Cause } from './cause.js';
import type { EvidenceId, HypothesisId } from './ids.js';

export type HypothesisStatus = 'open' | 'supported' | 'refuted' | 'confirmed';

/** A claim that names a cause, with everything that speaks for and against it. */
export interface Hypothesis {
  readonly id: HypothesisId;
  readonly claim: string;
  readonly cause: Cause;
  readonly status: HypothesisStatus;
  /** 0 to 1; append-only, the last one counts. */
  readonly confidence: readonly { readonly turn: number; readonly value: number }[];
  readonly for: readonly EvidenceId[];
  readonly against: readonly EvidenceId[];
  /** Why it has its present status, one line. */
  readonly because: string;
}

/** What a reasoner says about a hypothesis in one turn. A cause that is not on the board yet opens a hypothesis. */
export interface HypothesisUpdate {
  readonly cause: Cause;
  readonly claim: string;
  readonly status: HypothesisStatus;
  readonly confidence: number;
  readonly for: readonly EvidenceId[];
  readonly against: readonly EvidenceId[];
  readonly because: string;
}
