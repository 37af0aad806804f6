import type { Approval, ApprovalNeed } from '../src/domain/approval.js';
import type { BudgetNotice } from '../src/domain/budget-notice.js';
import type { Lease, LeaseAnswer, LeaseRequest } from '../src/domain/desk.js';
import type { Digest, OtherTicket } from '../src/domain/digest.js';
import type { Evidence } from '../src/domain/evidence.js';
import type { Expectation } from '../src/domain/expectation.js';
import type { EvidenceId, Instant, ProposalId, TicketId } from '../src/domain/ids.js';
import type { Thought } from '../src/domain/next-step.js';
import type { NoticeKind, Notification } from '../src/domain/notification.js';
import type { ProofSample } from '../src/domain/proof.js';
import type { Basis, Proposal, ProposalDraft, Ruling, Step, StepRuling } from '../src/domain/proposal.js';
import type { Call } from '../src/domain/query.js';
import type { Verdict } from '../src/domain/reading.js';
import type { Admission, Ticket } from '../src/domain/ticket.js';
import type { Severity, Violation } from '../src/domain/violation.js';
import type { Decision, TicketTimes } from './contract.js';

/** What workflows ask of activities. Types only, for workflows, activities and their assembly. */

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
