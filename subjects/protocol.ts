import type { Cause } from '../src/domain/cause.js';
import type { Evidence } from '../src/domain/evidence.js';
import type { Expectation, ExpectationKind } from '../src/domain/expectation.js';
import type { HypothesisStatus } from '../src/domain/hypothesis.js';
import type { EvidenceId, Target } from '../src/domain/ids.js';
import type { Conclusion } from '../src/domain/next-step.js';
import type { BasisFact, Inverse, StepDraft } from '../src/domain/proposal.js';
import type { Call } from '../src/domain/query.js';
import type { Verdict } from '../src/domain/reading.js';
import type { Check, Violation } from '../src/domain/violation.js';
import type { QuorumPicture } from '../src/policy/quorum-picture.js';
import type { Capacity, CommandRow, HttpRow } from '../src/policy/row.js';

/**
 * A system under care. Everything Medic needs to know about it is here; a second subject needs no change outside its
 * own folders. `P` is its picture. All members are pure; what touches the world is `SubjectEyes`.
 */
export interface Subject<P> {
  readonly name: string;
  readonly invariants: readonly Invariant<P>[];
  /** The closed list. `other` is not in it. */
  readonly causes: readonly CauseClass<P>[];
  /**
   * Classes of causes whose symptoms look like a lack of capacity elsewhere: before something healthy is restarted, moved or
   * added to, a look must have refuted each of them. Absent: none.
   */
  readonly upstream?: readonly string[];
  readonly actions: readonly Action<P>[];
  readonly commandRows: readonly CommandRow[];
  readonly httpRows: readonly HttpRow[];
  readonly rules: readonly DiagnosisRule<P>[];
  /** Groups and members for the quorum kernel; needs a picture of tier `placement`. */
  quorum(picture: P): QuorumPicture;
  /**
   * Who a target is (name, id, address, start of its process), for the basis of a ruling: another process under the same
   * name is another target. Facts that change by themselves in a healthy system do not belong here.
   */
  identity(picture: P, target: Target): readonly BasisFact[];
  /** What in this picture looks wrong and is as it should be. Absent: nothing ever is. */
  expectations?(picture: P): readonly Expectation[];
  /** At most 12 lines for the digest, the trail and the screen. */
  summary(picture: P): readonly string[];
  /**
   * What an answer says, in one line, for the digest, the trail and the screen: `tikv-2 exited 137, died`. Asked only for
   * good answers (exit 0, HTTP 2xx). `null` or absent: the answer's first line stands for it.
   */
  describeAnswer?(call: Call, body: string): string | null;
  /** What a model must know about this kind of system, beyond the runbook of the agent. */
  readonly promptContext: string;
}

/** Two tiers: cheap facts of every sample, and who holds what, only before judging. */
export type Tier = 'vitals' | 'placement';

/** The effectful half of a subject. */
export interface SubjectEyes<P> {
  /** Never throws for a silent cluster: gaps are part of the picture. */
  observe(tier: Tier, signal?: AbortSignal): Promise<P>;
  /** Carries out a read-only or ruled HTTP call; the endpoint comes from the inventory. */
  http(call: Extract<Call, { kind: 'http' }>, signal?: AbortSignal): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** `status` null: nothing answered, `failure` says why (`connect ECONNREFUSED`, `no answer within 900 ms`). */
export interface HttpAnswer {
  readonly status: number | null;
  readonly body: string;
  readonly failure?: string;
  /** Set when for certain nobody got it: every connection was refused. */
  readonly sent?: false;
  /** Which member answered. */
  readonly node: string | null;
}

export interface Invariant<P> {
  readonly name: string;
  readonly title: string;
  /** `evidence`: shown and given to the reasoner, but files no ticket (DESIGN 10: until its soak is clean). */
  readonly use: 'files' | 'evidence';
  check(picture: P): Check;
}

export interface CauseClass<P> {
  readonly class: string;
  readonly title: string;
  /** Proof obligation of DESIGN 9: seen by our own client and by the witness on the host. */
  isGone(picture: P, target: Target): Judged;
}

/** A verdict with its reason, one line. */
export interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
}

export interface Action<P> {
  readonly name: string;
  /** `start the store tikv-2` */
  describe(target: Target): string;
  /** Classes of causes it cures. */
  readonly cures: readonly string[];
  /** `yes`: it may run. Looked at when judging and again right before running. */
  precondition(picture: P, target: Target): Judged;
  /** The picture is there for what the call has to name: ids, old values. The precondition says whether it may run. */
  call(target: Target, picture: P): Call;
  inverse(picture: P, target: Target): Inverse;
  /** Is its effect there? Decides what an interrupted act did. */
  isDone(picture: P, target: Target): Judged;
  readonly timeoutMs: number;
  /** Set when it adds, moves or restarts capacity. */
  readonly capacity?: Capacity;
}

/** How the rules reasoner recognises one kind of trouble. Rules are data and pure functions; the engine is generic. */
export interface DiagnosisRule<P> {
  readonly name: string;
  /** The target it would explain, or `null` when the violations are not its business. */
  matches(violations: readonly Violation[]): Target | null;
  /**
   * Everything that could explain it, the likeliest first; each one can be refuted by its looks. The picture is there
   * for names and ids that the looks need, not for judging.
   */
  suspects(target: Target, picture: P): readonly Suspect<P>[];
}

export interface Suspect<P> {
  readonly cause: Cause;
  readonly claim: string;
  /** Looks that could support or refute it; shared looks are asked once. */
  readonly looks: readonly Call[];
  assess(facts: Facts<P>): Assessment;
  /** The cure, when it turns out to be this; absent: a person has to decide. */
  readonly cure?: Cure;
  /** How the ticket ends when it turns out to be this and nothing is to be repaired. */
  readonly ending?: Ending;
}

export interface Ending {
  readonly conclusion: Conclusion;
  /** Of `expected`: what the picture must be recognised to show. */
  readonly expectation?: ExpectationKind;
  readonly why: string;
}

export interface Cure {
  readonly title: string;
  /** What the suspect's looks would have had to say for it to be something else. */
  readonly wouldHaveRefuted: string;
  readonly effect: string;
  readonly risk: string;
  readonly steps: readonly StepDraft[];
}

export interface Assessment {
  readonly status: HypothesisStatus;
  /** 0 to 1 */
  readonly confidence: number;
  readonly for: readonly EvidenceId[];
  readonly against: readonly EvidenceId[];
  readonly because: string;
  /** Set when time alone will tell (a first heartbeat that is not due yet): look again instead of giving up. */
  readonly tooEarly?: boolean;
  /**
   * Set on an open one that these signals cannot decide: which look or access would. When nothing is supported, the
   * escalation names every such suspect and what decides.
   */
  readonly decidedBy?: string;
}

/** What a suspect may judge by. */
export interface Facts<P> {
  readonly picture: P;
  /** The evidence id of that picture. */
  readonly pictureId: EvidenceId;
  /** The latest answer to a call of this ticket, with its whole body; `null` when it was not asked yet. */
  answer(call: Call): Answer | null;
}

export interface Answer {
  readonly evidence: Evidence;
  readonly body: string;
}
