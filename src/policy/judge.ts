import type { Cause } from '../domain/cause.js';
import type { ErrorCode } from '../domain/errors.js';
import type { Instant } from '../domain/ids.js';
import type { Phase } from '../domain/phases.js';
import { type Basis, type BasisFact, type Ruling, type RulingKind, type Step, worst } from '../domain/proposal.js';
import type { Call } from '../domain/query.js';
import type { Verdict } from '../domain/reading.js';
import { approve } from './approve.js';
import { basisOf, marginWords, ofStep } from './basis.js';
import { type Classification, classify, type Rules } from './classify.js';
import { liesWithin } from './impaired.js';
import { inOwnNames } from './names.js';
import type { Autonomy, PolicyFile, Rate } from './policy-file.js';
import { askQuorum, whyUnreadable } from './quorum.js';
import type { QuorumPicture } from './quorum-picture.js';
import type { CommandClass, Influence } from './row.js';

/** What the agent of the ticket may propose to run without asking. */
export interface AgentScope {
  readonly agent: string;
  readonly actions: readonly string[];
}

export interface JudgeInput {
  readonly step: Step;
  readonly phase: Phase;
  readonly cause: Cause;
  readonly scope: AgentScope;
  readonly autonomy: Autonomy;
  readonly policy: PolicyFile;
  readonly rules: Rules;
  readonly quorum: QuorumPicture;
  /** Of the step's action, on the same facts; `null` when the step is no action of the catalogue. */
  readonly precondition: { readonly verdict: Verdict; readonly reason: string } | null;
  /** Runs of this action on this target within the window of its pre-approval, over all tickets. */
  readonly recentActs: number;
  readonly now: Instant;
  readonly maxPictureAgeMs: number;
  /** Who the target is: name, id, address, start time. */
  readonly targetFacts: readonly BasisFact[];
}

export interface StepJudgement {
  readonly ruling: Ruling;
  readonly basis: Basis;
  /** Every command that would run, flattened, for the approver. */
  readonly commands: readonly string[];
  /** The tightest group in words. */
  readonly margin: string;
  /** The rate of the pre-approval that would apply, for the gate; `null` when there is none. */
  readonly rate: Rate | null;
}

/** Rules on one step (DESIGN 7). Pure: the same input gives the same answer, when judging and again right before acting. */
export function judgeStep(input: JudgeInput): StepJudgement {
  const found = inOwnNames(classify(input.step.call, input.rules), input.quorum);
  const influence = influenceOf(found.worst, input);
  return {
    ruling: whenObserved(rule(found, influence, input), input),
    basis: basisOf({ ...input, influence }),
    commands: found.parts.map(({ text }) => text),
    margin: marginWords(input.quorum, influence.takesAway),
    rate: preApproval(input)?.max ?? null,
  };
}

/** The whole is as bad as its worst step. */
export function judgeProposal(inputs: readonly JudgeInput[]): {
  readonly ruling: Ruling;
  /** Facts of all steps; those of step N begin with `step N: `. */
  readonly basis: Basis;
  readonly steps: readonly StepJudgement[];
} {
  const steps = inputs.map(judgeStep);
  return {
    ruling: worst(steps.map((step) => step.ruling)),
    basis: steps.flatMap((step, index) => ofStep(index + 1, step.basis)),
    steps,
  };
}

/** A look runs only if all it would run reads. */
export function judgeLook(call: Call, rules: Rules): Ruling {
  const found = classify(call, rules);
  return refused(found) ?? reads(found) ?? say('forbidden', 'MEDIC_POLICY_PHASE', `it is no read: ${changing(found)}`);
}

const ACTING: readonly Phase[] = ['proposing', 'awaiting-approval', 'remediating', 'undoing'];

/** The first check that answers decides; each later one may rely on those before it. */
function rule(found: Classification, influence: Influence, input: JudgeInput): Ruling {
  return (
    refused(found) ??
    reads(found) ??
    outOfPhase(input) ??
    precondition(found.worst, input) ??
    (isRestorative(found.worst) ? null : quorum(found.worst, influence, input)) ??
    tooWide(influence, input) ??
    approve({ ...input, preApproval: preApproval(input), unreadable: unreadable(input) })
  );
}

/** A subject that is only observed gets its proposals shown; once a step would run, it is forbidden, whoever approved it. */
function whenObserved(ruling: Ruling, { autonomy, phase }: JudgeInput): Ruling {
  if (autonomy !== 'observe' || ruling.kind === 'read' || ruling.kind === 'forbidden') return ruling;
  const kind = phase === 'remediating' || phase === 'undoing' ? 'forbidden' : ruling.kind;
  return say(kind, 'MEDIC_POLICY_OBSERVE', `this subject is only observed, nothing runs; else: ${ruling.reason}`);
}

function refused({ worst: verdict, code }: Classification): Ruling | null {
  if (verdict.kind !== 'self' && verdict.kind !== 'forbidden') return null;
  return say('forbidden', code ?? 'MEDIC_POLICY_FORBIDDEN', verdict.reason);
}

const reads = ({ worst: verdict }: Classification): Ruling | null =>
  verdict.kind === 'read' ? { kind: 'read', reason: 'it only reads' } : null;

const changing = ({ parts }: Classification): string =>
  parts.flatMap((part) => (part.class.kind === 'read' ? [] : [`\`${part.text}\``])).join(', ');

function outOfPhase({ phase }: JudgeInput): Ruling | null {
  return ACTING.includes(phase) ? null : say('forbidden', 'MEDIC_POLICY_PHASE', `while ${phase} only reads run`);
}

/** Restorative actions rest on the witness behind their precondition, so for them it must be there. */
function precondition(verdict: CommandClass, { precondition: judged }: JudgeInput): Ruling | null {
  const code = 'MEDIC_POLICY_PRECONDITION';
  if (judged?.verdict === 'no') return say('forbidden', code, judged.reason);
  if (judged?.verdict === 'unknown') return say('unproven', code, judged.reason);
  if (judged || !isRestorative(verdict)) return null;
  return say('unproven', code, 'no witness on the host says that its target is dead or frozen');
}

const isRestorative = (verdict: CommandClass): boolean =>
  verdict.kind === 'mutate' && verdict.restorative && verdict.influence.takesAway.length === 0;

/** What the rows say is taken away, and for a part of unknown reach what is assumed: only the former can forbid. */
function quorum(verdict: CommandClass, assumed: Influence, input: JudgeInput): Ruling | null {
  const declared = verdict.kind === 'mutate' ? verdict.influence : assumed;
  const answer = ask(declared, input);
  if (answer.kind === 'broken') return say('forbidden', 'MEDIC_POLICY_QUORUM', answer.reason);
  const wide = declared.takesAway.find((target) => !liesWithin(target, input.cause.target, input.quorum));
  if (wide) {
    const reason = `it takes away ${wide}, which does not lie within ${input.cause.target}`;
    return say('forbidden', 'MEDIC_POLICY_SCOPE', reason);
  }
  const worse = answer.kind === 'holds' ? ask(assumed, input) : answer;
  return worse.kind === 'holds' ? null : say('unproven', 'MEDIC_POLICY_UNPROVEN', worse.reason);
}

const ask = (influence: Influence, { quorum: picture, now, maxPictureAgeMs }: JudgeInput) =>
  askQuorum({ picture, influence, now, maxPictureAgeMs });

function tooWide({ touches }: Influence, { cause, quorum: picture }: JudgeInput): Ruling | null {
  const wide = touches.find((target) => !liesWithin(target, cause.target, picture));
  if (!wide) return null;
  return say('needs-approval', 'MEDIC_POLICY_SCOPE', `it touches ${wide}, which does not lie within ${cause.target}`);
}

/** Of a mutation of unknown reach the worst is assumed: that its target stops serving. */
function influenceOf(verdict: CommandClass, { step, quorum: picture }: JudgeInput): Influence {
  if (verdict.kind !== 'mutate') return { touches: [], takesAway: [] };
  if (!verdict.influence.unknown) return verdict.influence;
  const { touches, takesAway } = verdict.influence;
  const isMember = picture.members.some(({ id }) => id === step.target);
  return {
    touches: [...new Set([...touches, step.target])],
    takesAway: isMember ? [...new Set([...takesAway, step.target])] : takesAway,
    unknown: true,
  };
}

const preApproval = ({ step, scope, policy }: JudgeInput) =>
  policy.preApproved.find(({ action, agent }) => action === step.action && agent === scope.agent) ?? null;

const unreadable = ({ quorum: picture, now, maxPictureAgeMs }: JudgeInput): string | null =>
  whyUnreadable({ picture, now, maxPictureAgeMs });

const say = (kind: RulingKind, code: ErrorCode, reason: string): Ruling => ({ kind, code, reason });
