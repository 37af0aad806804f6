import type { Approval, ApprovalNeed } from '../src/domain/approval.js';
import type { BudgetNotice } from '../src/domain/budget-notice.js';
import type { Ceilings } from '../src/domain/ceilings.js';
import type { Closing, DeskState, Lease, LeaseAnswer, LeaseRequest, Reopening, RunsOf } from '../src/domain/desk.js';
import type { Digest, OtherTicket } from '../src/domain/digest.js';
import type { Evidence } from '../src/domain/evidence.js';
import type { Expectation } from '../src/domain/expectation.js';
import type { EvidenceId, Instant, ProposalId, TicketId } from '../src/domain/ids.js';
import type { Ledger } from '../src/domain/ledger-state.js';
import type { Thought } from '../src/domain/next-step.js';
import type { NoticeKind, Notification } from '../src/domain/notification.js';
import type { ProofRule, ProofSample } from '../src/domain/proof.js';
import type { Basis, Proposal, ProposalDraft, Ruling, Step, StepRuling } from '../src/domain/proposal.js';
import type { Call } from '../src/domain/query.js';
import type { Verdict } from '../src/domain/reading.js';
import type { Reservation } from '../src/domain/reservation.js';
import type { Admission, CarriedTicket, Filing, Taken, Ticket } from '../src/domain/ticket.js';
import type { TrailEvent } from '../src/domain/trail.js';
import type { Report, Severity, Violation } from '../src/domain/violation.js';
import type { Moment, Rung } from '../src/domain/waits.js';

/**
 * What workflows, activities and clients say to each other. Types and names only: this file is imported by all three
 * and must stay free of code that a workflow may not run.
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

// ---- activities ----

/** `watch`: one long heartbeating activity, on its own task queue. */
export interface WatchActivities {
  /** Samples until it is cancelled or `rounds` samples were taken; reports to the desk on change and each minute. */
  watch(input: { readonly subject: string }): Promise<void>;
}

/** Short, retried: configuration and bookkeeping. */
export interface DeskworkActivities {
  admit(input: {
    readonly subject: string;
    readonly ticket: TicketId;
  }): Promise<Admission & { readonly times: TicketTimes }>;
  openTurn(input: { readonly ticket: TicketId; readonly turn: number }): Promise<TurnOpened>;
  gate(input: Omit<LeaseRequest, 'run' | 'key'> & StepRef): Promise<LeaseAnswer>;
  release(input: { readonly ticket: TicketId }): Promise<void>;
  archive(input: { readonly ticket: Ticket; readonly report: string }): Promise<{ readonly path: string }>;
  /** Leaves word for everybody who is to be told; they are told beside the ticket, which does not wait for it. */
  notify(input: TicketNotice): Promise<void>;
}

export interface TicketNotice {
  readonly ticket: TicketId;
  readonly kind: NoticeKind;
  readonly text: string;
  /** Absent in histories of 0.1. */
  readonly severity?: Severity;
  /** Names of targets that are told whatever they listen to, and nobody else. Absent: whoever listens to the kind. */
  readonly to?: readonly string[];
}

export interface TurnOpened {
  readonly run: string;
  /** The other open tickets of the subject; none when the desk does not answer. */
  readonly others: readonly OtherTicket[];
}

/** Read-only: retried while nothing answers. */
export interface LookActivities {
  lookAtPicture(input: { readonly ticket: TicketId; readonly id: EvidenceId }): Promise<PictureSeen>;
  look(input: { readonly ticket: TicketId; readonly id: EvidenceId; readonly call: Call }): Promise<Evidence>;
  /** One proof sample (DESIGN 9). */
  sample(input: {
    readonly ticket: TicketId;
    readonly cause: Proposal['cause'];
    readonly since: Instant;
  }): Promise<ProofSample>;
  /** Names that a maintenance window may be on; empty when they cannot be told now. */
  targets(input: { readonly subject: string }): Promise<readonly string[]>;
  /** What became of an act whose outcome is unknown. */
  settle(input: StepRef & { readonly plan: Step }): Promise<Settled>;
}

export interface PictureSeen {
  readonly run: string;
  readonly evidence: Evidence;
  readonly lines: readonly string[];
  /** Violations that hold in this very picture, without any grace. */
  readonly broken: readonly Violation[];
  /** Invariants that could not be judged. */
  readonly unknown: readonly string[];
  /** What code recognised in it as being as it should be. */
  readonly expected: readonly Expectation[];
}

export interface ThinkActivities {
  think(input: { readonly digest: Digest; readonly pictureSha: string }): Promise<Thought>;
}

export interface JudgeActivities {
  /** Expands a draft into steps and rules on it with current policy and fresh facts. */
  judge(input: JudgeInput): Promise<Judgement>;
}

export interface JudgeInput {
  readonly ticket: TicketId;
  readonly agent: string;
  readonly phase: string;
  readonly proposal: Omit<Proposal, 'steps'>;
  readonly drafts: ProposalDraft['steps'];
}

export interface Judgement {
  readonly proposal: Proposal;
  readonly ruling: Ruling;
  readonly steps: readonly StepRuling[];
  readonly basis: Basis;
  readonly basisHash: string;
  /** The tightest group in words, for screens. */
  readonly margin: string;
  /** Fingerprints that were broken in the facts it was ruled on. */
  readonly broken: readonly string[];
  readonly rate: { readonly times: number; readonly withinMs: number } | null;
  /** Classes of causes that must have been refuted first: it adds, moves or restarts capacity. Else empty. */
  readonly upstream: readonly string[];
  /** The run in which it was judged: it tells a reset. Absent in histories of 0.1, as is the next. */
  readonly run?: string;
  /** Who has to approve it. */
  readonly need?: ApprovalNeed;
}

/** Whose answers count, with the configuration of this moment. Retried until there is an answer. */
export interface AuthoriseActivities {
  authorise(input: AuthoriseInput): Promise<Authorisation>;
}

export interface AuthoriseInput {
  readonly ticket: TicketId;
  readonly proposal: Proposal;
  readonly ruling: Ruling['kind'];
  readonly basisHash: string;
  /** The run in which it was judged; absent: by an older version. */
  readonly run?: string;
  readonly decision: Decision;
  /** Those that counted so far. */
  readonly approvals: readonly Approval[];
}

export type Authorisation =
  /** A no, or enough approvals: those that count now. */
  | { readonly kind: 'counts'; readonly approvals: readonly Approval[] }
  /** A yes that counts, and is not enough. */
  | { readonly kind: 'more'; readonly approvals: readonly Approval[]; readonly need: ApprovalNeed }
  /** It does not count. `code` is of the error registry. */
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }
  /** The ticket was reset since it asked: it has to ask again. */
  | { readonly kind: 'reset'; readonly reason: string };

/** Mutating: one attempt, ever. */
export interface ActActivities {
  act(input: ActInput): Promise<ActOutcome>;
}

/** Names one step of one proposal in one try; the journal key is made of it and of the run. */
export interface StepRef {
  readonly ticket: TicketId;
  readonly proposal: ProposalId;
  readonly step: number;
  readonly try: number;
}

export interface ActInput extends StepRef {
  readonly agent: string;
  readonly cause: Proposal['cause'];
  readonly plan: Step;
  readonly lease: Lease;
  readonly basis: Basis;
  /** `null`: it rests on a pre-approval. */
  readonly approvedBy: string | null;
  /** The answers it rests on, weighed again before it runs. Absent in histories of 0.1: one anonymous answer then. */
  readonly approvals?: readonly Approval[];
  /** The run in which it was approved. Absent in histories of 0.1. */
  readonly run?: string;
}

export type ActOutcome =
  | {
      readonly outcome: 'ok' | 'failed';
      readonly exit: number | null;
      readonly journal: string;
      readonly reason: string;
      readonly tail: string;
    }
  /** Nothing ran: policy, basis, lease or precondition forbade it. */
  | {
      readonly outcome: 'refused';
      readonly journal: string;
      readonly reason: string;
      readonly changes: readonly string[];
    };

export interface Settled {
  readonly journal: string;
  /** What the host's journal says. */
  readonly entry: 'none' | 'running' | 'finished';
  readonly exit: number | null;
  /** Is the step's effect there? */
  readonly done: Verdict;
  readonly reason: string;
}

/** Bookkeeping of the budget: short, retried. */
export interface BudgetActivities {
  /** Tells a person. Each notice is told once, unless the worker dies right after it. */
  tellBudget(notice: BudgetNotice): Promise<void>;
}

export interface NoticeInput {
  readonly notification: Notification;
  /** Name of a target in medic.yaml. */
  readonly target: string;
}

/** Over the network, to systems that are not ours. */
export interface DeliverActivities {
  /** @returns what became of it, in words */
  deliver(input: NoticeInput): Promise<string>;
}

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
