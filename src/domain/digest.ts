import type { Evidence } from './evidence.js';
import type { Hypothesis } from './hypothesis.js';
import type { EvidenceId, Instant, TicketId } from './ids.js';
import type { RulingKind } from './proposal.js';
import type { Violation } from './violation.js';

/** Everything a reasoner gets for one turn. Bodies of evidence are fetched by id and hash, never carried here. */
export interface Digest {
  readonly ticket: TicketId;
  readonly subject: string;
  readonly environment: string;
  readonly turn: number;
  readonly at: Instant;
  /** Violations that hold in the fresh picture or in the last report. */
  readonly violations: readonly Violation[];
  /** Violations of this ticket that cleared, with the time; evidence, not proof. */
  readonly cleared: readonly { readonly violation: Violation; readonly at: Instant }[];
  readonly picture: { readonly evidence: EvidenceId; readonly lines: readonly string[] };
  readonly board: readonly Hypothesis[];
  readonly evidence: readonly Evidence[];
  readonly proposals: readonly PastProposal[];
  /** Why earlier steps of this ticket were not carried out, the newest last. */
  readonly refusals: readonly string[];
  readonly hints: readonly { readonly by: string; readonly text: string; readonly at: Instant }[];
  readonly left: LimitsLeft;
  /** Who works on it: an entry of the catalogue. */
  readonly agent: string;
  /** Hash of the conversation of the turns before; `null`: there is none. */
  readonly transcript: string | null;
}

/** What became of an earlier proposal. */
export interface PastProposal {
  readonly number: number;
  readonly title: string;
  readonly cause: { readonly class: string; readonly target: string };
  readonly ruling: RulingKind | null;
  readonly end: 'refused' | 'denied' | 'expired' | 'not-run' | 'ran' | 'undone' | null;
  readonly note: string;
}

export interface LimitsLeft {
  readonly turns: number;
  readonly looks: number;
  readonly acts: number;
  readonly tokens: number;
  readonly usd: number;
  readonly wallMs: number;
}
