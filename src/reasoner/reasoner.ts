import type { Digest } from '../domain/digest.js';
import type { EvidenceId } from '../domain/ids.js';
import type { ModelCall, Thought } from '../domain/next-step.js';

/** Turns evidence into exactly one next step. Implementations: claude, rules, recorded, and the chain of the first two. */
export interface Reasoner {
  readonly name: string;
  /** Throws `ModelFailure` when a model could not be asked, `BudgetRefusal` when it may not be. */
  reason(digest: Digest, tools: ReasonerTools): Promise<Thought>;
}

export interface ReasonerTools {
  /** The whole redacted body of one piece of this ticket's evidence. Throws `MEDIC_EVIDENCE_MISSING`. */
  body(id: EvidenceId): Promise<string>;
  readonly signal?: AbortSignal;
  readonly attempt: Attempt;
}

/** One try of one turn. What earlier tries of the same turn did is carried over, so that nothing that was paid is lost. */
export interface Attempt {
  /** Run of the ticket's workflow, as the activity sees it. */
  readonly run: string;
  /** Counted from 1. */
  readonly number: number;
  /** Paid calls of all tries so far; a reasoner adds each one when it is over. */
  readonly calls: ModelCall[];
  /** Why earlier tries failed, in words, the newest last; grows with each failure of a model. */
  readonly failures: ModelFailureNote[];
}

/** What is remembered of a failed try. */
export interface ModelFailureNote {
  readonly model: string;
  readonly kind: 'retry' | 'refusal';
  readonly words: string;
}
