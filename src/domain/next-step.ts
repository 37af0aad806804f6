import type { HypothesisUpdate } from './hypothesis.js';
import type { EvidenceId } from './ids.js';
import type { ProposalDraft } from './proposal.js';
import type { Call } from './query.js';

/** Why nothing needs to be repaired. */
export type Conclusion = 'transient' | 'expected' | 'duplicate' | 'monitoring-fault';

/** Exactly one comes out of each turn of thinking. */
export type NextStep =
  | { readonly kind: 'look'; readonly why: string; readonly calls: readonly Call[] }
  | { readonly kind: 'propose'; readonly proposal: ProposalDraft }
  | { readonly kind: 'ask'; readonly question: string }
  | {
      readonly kind: 'conclude';
      readonly conclusion: Conclusion;
      readonly why: string;
      readonly evidence: readonly EvidenceId[];
    }
  | { readonly kind: 'escalate'; readonly why: string };

/** What a reasoner returns for one digest. */
export interface Thought {
  readonly nextStep: NextStep;
  readonly hypotheses: readonly HypothesisUpdate[];
  readonly reasoner: string;
  /** `null` for reasoners that are no model. */
  readonly model: string | null;
  readonly requestId: string | null;
  /** Hash of the prompt or of the rule set that produced it. */
  readonly promptSha: string;
  readonly usage: Usage;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

/** At most this many calls in one look. */
export const MAX_CALLS_PER_LOOK = 8;
