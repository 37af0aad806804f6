import type { Approval, ApprovalNeed } from '../src/domain/approval.js';
import type { BudgetNotice } from '../src/domain/budget-notice.js';
import type { Ceilings } from '../src/domain/ceilings.js';
import type { Closing, DeskState, LeaseAnswer, LeaseRequest, Reopening, RunsOf } from '../src/domain/desk.js';
import type { OtherTicket } from '../src/domain/digest.js';
import type { Instant, ProposalId, TicketId } from '../src/domain/ids.js';
import type { Ledger } from '../src/domain/ledger-state.js';
import type { Notification } from '../src/domain/notification.js';
import type { ProofRule } from '../src/domain/proof.js';
import type { Basis, Proposal, Ruling, StepRuling } from '../src/domain/proposal.js';
import type { Reservation } from '../src/domain/reservation.js';
import type { Admission, CarriedTicket, Filing, Taken, Ticket } from '../src/domain/ticket.js';
import type { TrailEvent } from '../src/domain/trail.js';
import type { Report, Violation } from '../src/domain/violation.js';
import type { Moment, Rung } from '../src/domain/waits.js';

/**
 * What workflows and clients say to each other, and the names of all; what workflows ask of activities is in
 * activity-contract.ts. Types and names only: this file is imported by workflows, activities and clients, and must stay free of
 * code that a workflow may not run.
 */

// ---- workflow ids and types ----

export const patrolId = (subject: string): string => `patrol/${subject}`;
export const deskId = (subject: string): string => `desk/${subject}`;
/** One ledger for each instance. */
export const BUDGET_ID = 'budget/instance';
/** One notification to one target. */
export const noticeId = ({ event }: Notification, target: string): string => `notice/${event}/${target}`;
export const WORKFLOWS = {
  patrol: 'patrol',
  desk: 'desk',
  ticket: 'ticket',
  budget: 'budget',
  notice: 'notice',
} as const;

/** Task queues below the instance's prefix. `watch` has its own, so that a busy worker never blinds the patrol. */
export const queues = (prefix: string) => ({ main: prefix, watch: `${prefix}-watch` });

/** Search attributes, all Keyword (DESIGN 5). */
export const SEARCH_ATTRIBUTES = ['MedicPhase', 'MedicSubject', 'MedicSeverity', 'MedicCause', 'MedicTarget'] as const;

// ---- workflow inputs ----

export interface PatrolInput {
  readonly subject: string;
  /** Task queue of the `watch` activity. */
  readonly watchQueue: string;
}

export interface DeskInput {
  readonly subject: string;
  /** First number to give out when the desk is new: one above what the archive holds. */
  readonly firstNumber: number;
  /** How long a resolved ticket is watched for its recurrence. */
  readonly recurrenceMs: number;
  /** State carried through continue-as-new. */
  readonly carried?: { readonly v: 1; readonly state: DeskState };
}

export interface TicketInput {
  readonly filing: Filing;
  readonly admission: Admission;
  readonly times: TicketTimes;
  /** State carried through continue-as-new. */
  readonly carried?: { readonly v: 1; readonly ticket: CarriedTicket };
}

/** The budget of an instance begins empty; ceilings come with each reservation. */
export interface BudgetInput {
  /** State carried through continue-as-new. */
  readonly carried?: { readonly v: 1; readonly ledger: Ledger; readonly untold: readonly BudgetNotice[] };
}

/** What a ticket workflow returns. */
export interface TicketResult {
  readonly ticket: TicketId;
  readonly phase: string;
  readonly proof: Ticket['proof'];
  readonly report: string;
}

/** The waits of one ticket; from the profile and the configuration, recorded at its start. */
export interface TicketTimes {
  readonly proof: ProofRule;
  readonly stabilityMs: number;
  /** A reminder while a person is awaited. */
  readonly remindMs: number;
  /** An unanswered proposal expires. */
  readonly expireMs: number;
  /** A frozen or held subject is asked again. */
  readonly gateRetryMs: number;
  /** How long a gate may stay shut before a person is told. */
  readonly gateGiveUpMs: number;
  /** Who is told in addition while nobody answers, the earliest first. Absent: nobody. */
  readonly escalation?: readonly Rung[];
}

// ---- messages ----

/** Update `decide` (and the signal of the same name for tools that can only signal). */
export interface Decision {
  readonly proposal: ProposalId;
  readonly answer: 'approve' | 'deny';
  readonly by: string;
  readonly note: string;
  readonly basisHash: string;
  /** Until when it may be acted on; a signed answer always says so. */
  readonly expiresAt?: Instant;
  /** Over all of the above, and whatever else is said here (`src/domain/approval.ts`). Absent: anonymous. */
  readonly signature?: string;
}

export interface Hint {
  readonly by: string;
  readonly text: string;
}

/** Signals `abort`, `close` and `take`. */
export interface Ending {
  readonly by: string;
  readonly reason: string;
  /** Of `abort`: a running command is ended at once. Absent: it is let to end, and nothing begins after it. */
  readonly kill?: boolean;
}

/** Signal `sighting` from the desk: what was added and what cleared, and everything that is active now. */
export interface Sighting {
  readonly at: Instant;
  readonly added: readonly Violation[];
  readonly cleared: readonly Violation[];
}

/** Signal `closed` from a ticket to its desk. */
export type TicketClosed = Closing;

export const MESSAGES = {
  decide: 'decide',
  amend: 'amend',
  take: 'take',
  hint: 'hint',
  abort: 'abort',
  close: 'close',
  sighting: 'sighting',
  report: 'report',
  closed: 'closed',
  reopened: 'reopened',
  lease: 'lease',
  release: 'release',
  freeze: 'freeze',
  unfreeze: 'unfreeze',
  maintain: 'maintain',
  endMaintenance: 'endMaintenance',
  reserve: 'reserve',
  settle: 'settle',
} as const;

/** Signal to the desk: a closed ticket was reset and runs again. */
export type Reopened = Reopening;

export const QUERIES = {
  status: 'status',
  board: 'board',
  trail: 'trail',
  ticket: 'ticket',
  desk: 'desk',
  ledger: 'ledger',
} as const;

/** Query `status`: one row of `medic tickets`, and what `show` begins with. */
export interface TicketStatus {
  readonly ticket: TicketId;
  readonly subject: string;
  readonly phase: string;
  readonly severity: string;
  readonly symptom: string;
  readonly openedAt: Instant;
  readonly belief: { readonly cause: string; readonly confidence: number } | null;
  readonly waitsFor: string;
  readonly pending: {
    readonly proposal: Proposal;
    readonly ruling: Ruling | null;
    readonly basis: Basis;
    readonly basisHash: string;
    readonly expiresAt: Instant | null;
    /** The run that a signed answer has to name. */
    readonly run: string;
    /** Who has to say yes. */
    readonly need: ApprovalNeed | null;
    /** Approvals that count so far, where more than one is needed. */
    readonly approvals: readonly Approval[];
    /** What each step would run, flattened. */
    readonly steps?: readonly StepRuling[];
    /** The tightest group in words. */
    readonly margin?: string;
    /** What changed since a person last saw it. */
    readonly changes?: readonly string[];
  } | null;
  /** What happens, and when, if nobody answers. Absent: nobody is awaited. */
  readonly ahead?: readonly Moment[];
  /** The person who has it. */
  readonly taken?: Taken;
  readonly violations: readonly Violation[];
  readonly spent: Ticket['spent'];
  readonly proof: Ticket['proof'];
  readonly brief: string | null;
}

/** Query `trail(after)`: the events with a higher sequence number. */
export type TrailAnswer = readonly TrailEvent[];

/** Sinks: the story as it happens. Registered as no-ops where nobody listens. */
export type StorySinks = {
  story: { event(ticket: TicketId, event: TrailEvent): void };
};

/** What activities ask of a desk; carried out by a Temporal client. */
export interface DeskPort {
  report(report: Report): Promise<void>;
  lease(request: LeaseRequest): Promise<LeaseAnswer>;
  release(input: { readonly subject: string; readonly run: string }): Promise<void>;
  /** Runs of an action on a target within the time, over all tickets. */
  recentRuns(of: RunsOf & { readonly subject: string }): Promise<number>;
  /** Tickets of the subject whose workflow runs; none when the desk does not answer. */
  openTickets(subject: string): Promise<readonly OtherTicket[]>;
}

/** Update `reserve`: what is asked for, and the ceilings of the present configuration, which are in force at once. */
export interface ReserveRequest {
  readonly reservation: Reservation;
  readonly ceilings: Ceilings;
}
