import type { Approval, ApprovalNeed } from './approval.js';
import type { PastProposal } from './digest.js';
import type { Evidence } from './evidence.js';
import type { Hypothesis } from './hypothesis.js';
import type { Instant, TicketId } from './ids.js';
import type { Limits, Spent } from './limits.js';
import { NOTHING_SPENT } from './limits.js';
import type { Phase } from './phases.js';
import { NOTHING_NOTED, type Progress } from './progress.js';
import type { ProofResult } from './proof.js';
import type { Basis, Proposal, Ruling, Step, StepDraft, StepRuling } from './proposal.js';
import { EMPTY_TRAIL, type Trail } from './trail.js';
import type { Severity, Violation } from './violation.js';

/** One incident. Everything a ticket workflow remembers; a plain value, carried whole through continue-as-new. */
export interface Ticket {
  readonly id: TicketId;
  readonly subject: string;
  readonly environment: string;
  readonly agent: string;
  readonly openedAt: Instant;
  readonly phase: Phase;
  readonly recurrenceOf: TicketId | null;
  readonly flapping: boolean;
  /** The first violation's message: what people call this incident. */
  readonly symptom: string;
  readonly severity: Severity;
  readonly violations: readonly Violation[];
  readonly cleared: readonly { readonly violation: Violation; readonly at: Instant }[];
  readonly turn: number;
  /** Hash of the conversation with the model so far; `null`: there is none. */
  readonly transcript: string | null;
  readonly board: readonly Hypothesis[];
  readonly evidence: readonly Evidence[];
  readonly proposals: readonly PastProposal[];
  readonly pending: Pending | null;
  readonly refusals: readonly string[];
  readonly hints: readonly { readonly by: string; readonly text: string; readonly at: Instant }[];
  /** Whether its turns still bring something new. */
  readonly progress: Progress;
  /** The subject's closed list of cause classes; empty: it was not recorded. */
  readonly causes: readonly string[];
  readonly limits: Limits;
  readonly spent: Spent;
  /** Time spent waiting for people and for the gate; it does not count against the wall limit. */
  readonly waitedMs: number;
  /** What was broken right before the first act: what is new after it makes it *worse*. */
  readonly brokenBefore: readonly string[];
  /** Steps whose effect is there, for undoing. */
  readonly applied: readonly Step[];
  /** Set at the first act that may have started; from then on a clear is evidence, never an end. */
  readonly firstActAt: Instant | null;
  readonly lastActAt: Instant | null;
  readonly proof: {
    readonly result: ProofResult;
    readonly causeGone: boolean | 'unknown';
    readonly at: Instant;
  } | null;
  readonly brief: string | null;
  /** The person who has it; absent: nobody, it is Medic's. */
  readonly taken?: Taken;
  readonly trail: Trail;
}

/** Who took a ticket over. */
export interface Taken {
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
}

/** The proposal that is being ruled on, waits for an answer, or runs. */
export interface Pending {
  readonly proposal: Proposal;
  /** The steps as they were asked for, to judge them anew when the facts changed. */
  readonly drafts: readonly StepDraft[];
  /** `null` until it is judged. */
  readonly ruling: Ruling | null;
  readonly basis: Basis;
  readonly basisHash: string;
  /** Rate of the pre-approval it rests on, for the gate. */
  readonly rate: { readonly times: number; readonly withinMs: number } | null;
  readonly expiresAt: Instant | null;
  readonly approvedBy: string | null;
  /** The run in which it was judged. Like the rest below absent in histories from before approvals were weighed. */
  readonly run?: string;
  readonly need?: ApprovalNeed;
  /** Those that count so far. */
  readonly approvals?: readonly Approval[];
  /** Signatures that have counted: each does once, also when the proposal is asked again. */
  readonly usedSignatures?: readonly string[];
  /** How often its facts had changed when it was to run. */
  readonly rejudged: number;
  /** What each step would run, flattened; absent until it is judged. */
  readonly steps?: readonly StepRuling[];
  /** The tightest group in words; absent until it is judged. */
  readonly margin?: string;
  /** What changed since a person last saw it; absent: it was not seen, or nothing did. */
  readonly changes?: readonly string[];
  /** The plan that a person amended, until the amendment is ruled on. */
  readonly amends?: Pending;
}

/** What the desk hands over when it files a ticket. */
export interface Filing {
  readonly id: TicketId;
  readonly subject: string;
  readonly at: Instant;
  readonly violations: readonly Violation[];
  readonly recurrenceOf: TicketId | null;
  /** Too many tickets for this target within the hour: a person looks, nothing is tried again. */
  readonly flapping: boolean;
}

/** Under which rules it is treated: read once, at its start, and recorded. */
export interface Admission {
  readonly environment: string;
  readonly agent: string;
  readonly limits: Limits;
  /** The subject's closed list of cause classes. */
  readonly causes: readonly string[];
}

const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'info'];

export function openTicket(filing: Filing, admission: Admission): Ticket {
  const worst = [...filing.violations].sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  )[0];
  return {
    id: filing.id,
    subject: filing.subject,
    environment: admission.environment,
    agent: admission.agent,
    openedAt: filing.at,
    phase: 'filed',
    recurrenceOf: filing.recurrenceOf,
    flapping: filing.flapping,
    symptom: worst?.message ?? 'no violation was given',
    severity: worst?.severity ?? 'info',
    violations: filing.violations,
    cleared: [],
    turn: 0,
    transcript: null,
    board: [],
    evidence: [],
    proposals: [],
    pending: null,
    refusals: [],
    hints: [],
    progress: NOTHING_NOTED,
    // An admission of an older history has no list.
    causes: admission.causes ?? [],
    limits: admission.limits,
    spent: NOTHING_SPENT,
    waitedMs: 0,
    brokenBefore: [],
    applied: [],
    firstActAt: null,
    lastActAt: null,
    proof: null,
    brief: null,
    trail: EMPTY_TRAIL,
  };
}

/** A ticket as it comes through continue-as-new; one of an older version has no progress and no list of causes. */
export type CarriedTicket = Omit<Ticket, 'progress' | 'causes'> & Partial<Pick<Ticket, 'progress' | 'causes'>>;

export const resumeTicket = (carried: CarriedTicket): Ticket => ({ progress: NOTHING_NOTED, causes: [], ...carried });

/** Target of its violations, for search attributes and the desk; `null` while all are untargeted. */
export const targetOf = (ticket: Ticket): string | null =>
  [...ticket.violations, ...ticket.cleared.map((c) => c.violation)].find((v) => v.target !== null)?.target ?? null;
