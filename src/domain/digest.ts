import type { Evidence } from './evidence.js';
import type { Expectation } from './expectation.js';
import type { Hypothesis } from './hypothesis.js';
import type { EvidenceId, Instant, Target, TicketId } from './ids.js';
import type { Limits } from './limits.js';
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
  /** What code recognised in this picture as being as it should be. */
  readonly expected: readonly Expectation[];
  /** The other open tickets of the subject. */
  readonly others: readonly OtherTicket[];
  readonly board: readonly Hypothesis[];
  readonly evidence: readonly Evidence[];
  readonly proposals: readonly PastProposal[];
  /** Why earlier steps of this ticket were not carried out, the newest last. */
  readonly refusals: readonly string[];
  readonly hints: readonly { readonly by: string; readonly text: string; readonly at: Instant }[];
  readonly left: Limits;
  /** Who works on it: an entry of the catalogue. */
  readonly agent: string;
  /** Hash of the conversation of the turns before; `null`: there is none. */
  readonly transcript: string | null;
}

/** An open ticket of the same subject. */
export interface OtherTicket {
  readonly ticket: TicketId;
  /** Declared target of its violations; `null` while it has only untargeted symptoms. */
  readonly target: Target | null;
}

/**
 * What became of an earlier proposal. `returned`: it was not well founded once its steps were known; `amended`: a person
 * answered with other steps.
 */
export interface PastProposal {
  readonly number: number;
  readonly title: string;
  /** The person who wrote it; absent: the reasoner. */
  readonly by?: string;
  readonly cause: { readonly class: string; readonly target: string };
  readonly ruling: RulingKind | null;
  readonly end: 'returned' | 'refused' | 'denied' | 'expired' | 'amended' | 'not-run' | 'ran' | 'undone' | null;
  readonly note: string;
}
