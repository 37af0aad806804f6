import type { Agent } from '../src/domain/agent.js';
import type { Cause } from '../src/domain/cause.js';
import { type Instant, instant } from '../src/domain/ids.js';
import type { Phase } from '../src/domain/phases.js';
import type { Step } from '../src/domain/proposal.js';
import type { Authority, Matter } from '../src/policy/authority.js';
import { lowest } from '../src/policy/autonomy.js';
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
  /** Who may answer, read anew as well. Rejects with `MEDIC_CONFIG_*` while medic.yaml has a mistake. */
  readonly authority: () => Promise<Authority>;
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
  { desk, policy, agent, authority, self, now }: RulingDeps,
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
  const [policyFile, scope, { autonomy }] = await Promise.all([
    policy(room.subject.name),
    agent(ask.agent),
    authority(),
  ]);
  const action = room.subject.actions.find((a) => a.name === ask.step.action);
  return {
    step: ask.step,
    phase: ask.phase,
    cause: ask.cause,
    scope: { agent: scope.name, actions: scope.actions },
    autonomy: lowest(policyFile.autonomy, autonomy[room.subject.name]),
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

/** What has to be approved, and who may approve what, by the configuration of this moment. */
export async function matterOf(
  deps: Pick<RulingDeps, 'policy' | 'authority'>,
  { subject, ruling, steps }: Pick<Matter, 'subject' | 'ruling' | 'steps'>,
): Promise<{ readonly authority: Authority; readonly matter: Matter }> {
  const [{ environment, autonomy }, authority] = await Promise.all([deps.policy(subject), deps.authority()]);
  const inForce = lowest(autonomy, authority.autonomy[subject]);
  return { authority, matter: { subject, environment, autonomy: inForce, ruling, steps } };
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
