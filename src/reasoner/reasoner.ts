import type { Digest } from '../domain/digest.js';
import type { EvidenceId } from '../domain/ids.js';
import type { Thought } from '../domain/next-step.js';

/** Turns evidence into exactly one next step. Implementations: rules, recorded (and a model). */
export interface Reasoner {
  readonly name: string;
  reason(digest: Digest, tools: ReasonerTools): Promise<Thought>;
}

export interface ReasonerTools {
  /** The whole redacted body of one piece of this ticket's evidence. Throws `MEDIC_EVIDENCE_MISSING`. */
  body(id: EvidenceId): Promise<string>;
  readonly signal?: AbortSignal;
}
