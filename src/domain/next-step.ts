import type { ExpectationKind } from './expectation.js';
import type { HypothesisUpdate } from './hypothesis.js';
import type { EvidenceId, TicketId } from './ids.js';
import type { ProposalDraft } from './proposal.js';
import type { Call } from './query.js';

/**
 * Why nothing needs to be repaired: it is over by itself; it is as it should be; another ticket has it; the watching is
 * at fault, not what is watched. Each is checked by code before it ends a ticket.
 */
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
      /** Of `expected`: which one; code must have recognised it in this turn's picture. */
      readonly expectation?: ExpectationKind;
      /** Of `duplicate`: the other ticket, open, older and about the same target. */
      readonly of?: TicketId;
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
  /** Names and versions of the prompt files: `system@1 on-call-triage@2`; absent: there was none. */
  readonly promptVersion?: string;
  /** Over all calls, input with what the cache took and gave. */
  readonly usage: Usage;
  /** Every call of a model that it took, tries that failed later included; absent: none was made. */
  readonly calls?: readonly ModelCall[];
  /** What a person should know about how it came about: a model that failed, a ceiling, a summary of the context. */
  readonly notes?: readonly string[];
  /** Hash of the conversation so far in the evidence store, for the next turn; absent: there is none. */
  readonly transcript?: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
}

/** One paid call, as history keeps it. */
export interface ModelCall {
  readonly model: string;
  readonly requestId: string | null;
  readonly tokens: TokenCounts;
  readonly usd: number;
  /** Day from which the prices hold that it was counted with: `2026-10-07`. */
  readonly pricesOf: string;
  readonly promptSha: string;
  readonly durationMs: number;
  /** Why the model stopped, in the API's word (`tool_use`, `max_tokens`, `refusal`); `null`: the answer never came. */
  readonly stop: string | null;
}

/** Tokens of one call as the API counts them: four numbers that do not overlap. */
export interface TokenCounts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** At most this many calls in one look. */
export const MAX_CALLS_PER_LOOK = 8;
