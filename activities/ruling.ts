import type { Agent } from '../src/domain/agent.js';
import type { Cause } from '../src/domain/cause.js';
import { type Instant, instant } from '../src/domain/ids.js';
import type { Phase } from '../src/domain/phases.js';
import type { Step } from '../src/domain/proposal.js';
import type { JudgeInput } from '../src/policy/judge.js';
import type { PolicyFile } from '../src/policy/policy-file.js';
import type { SelfScope } from '../src/policy/rows/self.js';
import type { DeskPort } from '../workflows/contract.js';
import type { Room } from './room.js';
import { rulesOf } from './rules-of.js';

export interface RulingDeps {
  readonly desk: Pick<DeskPort, 'recentRuns'>;
  /** The present policy and agent, read anew for each ruling. */
  readonly policy: (subject: string) => Promise<PolicyFile>;
  readonly agent: (name: string) => Promise<Agent>;
  readonly self: SelfScope;
  readonly now: () => number;
}

/** Fresh facts about the subject, and when they were taken. */
export interface Facts {
  readonly picture: unknown;
  readonly at: Instant;
}

/** A picture older than this many samples is no basis for a ruling. */
const MAX_PICTURE_AGE_SAMPLES = 3;

export async function freshFacts(room: Room, now: () => number, signal?: AbortSignal): Promise<Facts> {
  return { picture: await room.eyes.observe('placement', signal), at: instant(now()) };
}

/** What the policy kernel is asked about one step: when judging, and again, on newer facts, right before acting. */
export async function judgeInputFor(
  { desk, policy, agent, self, now }: RulingDeps,
  room: Room,
  ask: {
    readonly step: Step;
    readonly phase: Phase;
    readonly cause: Cause;
    readonly agent: string;
    readonly facts: Facts;
    readonly key?: string;
  },
): Promise<JudgeInput> {
  const [policyFile, scope] = await Promise.all([policy(room.subject.name), agent(ask.agent)]);
  const action = room.subject.actions.find((a) => a.name === ask.step.action);
  return {
    step: ask.step,
    phase: ask.phase,
    cause: ask.cause,
    scope: { agent: scope.name, actions: scope.actions },
    autonomy: policyFile.autonomy,
    policy: policyFile,
    rules: rulesOf(room, self),
    quorum: room.subject.quorum(ask.facts.picture),
    precondition: action?.precondition(ask.facts.picture, ask.step.target) ?? null,
    recentActs: await recentActs(desk, room, policyFile, { step: ask.step, agent: scope.name, except: ask.key }),
    now: instant(now()),
    maxPictureAgeMs: MAX_PICTURE_AGE_SAMPLES * room.sampling.sampleMs,
    targetFacts: room.subject.identity(ask.facts.picture, ask.step.target),
  };
}

async function recentActs(
  desk: RulingDeps['desk'],
  room: Room,
  policy: PolicyFile,
  { step, agent, except }: { readonly step: Step; readonly agent: string; readonly except?: string },
): Promise<number> {
  const approval = policy.preApproved.find((p) => p.action === step.action && p.agent === agent);
  if (!approval || step.action === null) return 0;
  const { withinMs } = approval.max;
  return desk.recentRuns({ subject: room.subject.name, action: step.action, target: step.target, withinMs, except });
}
