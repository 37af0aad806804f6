import type { NextStep } from '../../../src/domain/next-step.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { type Moment, readRecording, SCENARIOS, type Scenario } from './recorded-pictures.js';
import { type Filed, filedIn, investigate, type Story, shownIn, violationsIn } from './recorded-ticket.js';

/** What was really wrong, as causes of the closed list; with several any of them is right for its own ticket. */
const TRUTHS: Readonly<Record<Scenario, readonly string[]>> = {
  baseline: [],
  node_kill: ['process-dead/tikv0'],
  node_kill_few_leaders: ['process-dead/tikv0'],
  node_kill_down: ['process-dead/tikv0'],
  process_pause: ['process-frozen/tikv1'],
  network_partition: ['link-loss/tikv3'],
  oneway_drop_to_one_peer: ['peer-link-loss/tikv0', 'peer-link-loss/tikv1'],
  store_cannot_reach_pd_leader: ['link-loss/tikv2'],
  packet_loss_30: ['link-slow/tikv2'],
  latency_100ms: ['link-slow/tikv2'],
  latency_350ms: ['link-slow/tikv2'],
  bandwidth_cap: ['link-slow/tikv0'],
  cpu_throttle: ['cpu-starved/tikv3'],
  disk_nearly_full: ['disk-full/tikv3'],
  grpc_pause: ['grpc-paused/tikv0'],
  graceful_restart: [],
  leader_schedule_limit_0: ['scheduling-stopped/cluster'],
  leader_concentration: ['foreign-scheduler/cluster'],
  leader_concentration_2: ['foreign-scheduler/cluster'],
  leader_concentration_grant: ['foreign-scheduler/cluster'],
  store_offline_by_mistake: ['store-offline/tikv1'],
  store_join: [],
  pd_follower_kill: ['pd-member-dead/pd1'],
  pd_leader_kill: ['pd-member-dead/pd1'],
  two_pds_killed: ['pd-quorum-lost/pd', 'pd-member-dead/pd0', 'pd-member-dead/pd1'],
};

/** `calm`: concluded without naming anything. `at-a-loss`: handed over without naming anything. */
export type Verdict = 'right' | 'honest' | 'wrong' | 'calm' | 'at-a-loss';

/** One ticket of a recording and how the rules ended it. */
export interface Diagnosis {
  readonly scenario: Scenario;
  readonly filed: Filed;
  readonly story: Story;
  readonly named: readonly string[];
  readonly verdict: Verdict;
}

/** Everything that was opened while the fault lasted: the tickets, or what is only shown where nothing files. */
export async function diagnosesOf(scenario: Scenario): Promise<readonly Diagnosis[]> {
  const { moments, healedAtS } = readRecording(scenario);
  const during = ({ s }: Filed) => s >= 0 && s <= healedAtS;
  const tickets = filedIn(moments).filter(during);
  const opened = tickets.length > 0 ? tickets : shownIn(moments).filter(during);
  return Promise.all(opened.map((filed) => diagnose({ scenario, moments, filed })));
}

/** `right`: just the cause. `honest`: it is among those that cannot be told apart. */
function verdictOn(step: NextStep, truth: readonly string[]): Verdict {
  const named = namedIn(step);
  if (step.kind === 'conclude') return 'calm';
  if (named.length === 0) return 'at-a-loss';
  if (!named.some((name) => truth.includes(name))) return 'wrong';
  return named.length === 1 ? 'right' : 'honest';
}

function namedIn(step: NextStep): readonly string[] {
  if (step.kind === 'propose') return [`${step.proposal.cause.class}/${step.proposal.cause.target}`];
  if (step.kind !== 'escalate') return [];
  const [, several, one] = /^(?:cannot tell between (.+?)\. What|([\w-]+\/[\w-]+):)/.exec(step.why) ?? [];
  return several ? several.split(/, | and /) : one ? [one] : [];
}

/** The table of docs/diagnosis.md, without its header. */
export async function diagnosisRows(): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const scenario of SCENARIOS) rows.push(rowOf(scenario, await diagnosesOf(scenario)));
  return rows;
}

function rowOf(scenario: Scenario, diagnoses: readonly Diagnosis[]): string {
  const { moments, healedAtS } = readRecording(scenario);
  const best = byWorth(scenario, diagnoses)[0];
  const untilS = best?.story.endedAt ?? Math.min(healedAtS, 60);
  const signs = signsIn(moments, untilS).join(', ') || '-';
  if (!best) return `| ${scenario} | ${signs} | nothing | - | - | no ticket |`;
  const { filed, story, named, verdict } = best;
  const opened = `${filed.by === 'files' ? 'a ticket' : 'shown only'}, +${filed.s} s`;
  const { nextStep } = story.last;
  const end =
    nextStep.kind === 'propose' ? `${named[0]}: ${nextStep.proposal.title}` : `${named.join(' or ')}: a person`;
  return `| ${scenario} | ${signs} | ${opened} | ${end} | ${story.calls.length} in ${story.steps.length} turns, +${story.endedAt} s | ${verdict} |`;
}

/** The right ones first, and of these the one that names the most important truth. */
function byWorth(scenario: Scenario, diagnoses: readonly Diagnosis[]): readonly Diagnosis[] {
  const ranked = (['right', 'honest', 'at-a-loss', 'calm', 'wrong'] as const).flatMap((verdict) =>
    [...TRUTHS[scenario], null].flatMap((truth) =>
      diagnoses.filter((one) => one.verdict === verdict && (truth === null || one.named.includes(truth))),
    ),
  );
  return [...new Set(ranked)];
}

/** Broken for this long it is a sign and not a wobble. */
const STEADY_S = 3;

/** What broke steadily after the fault, in its order. */
function signsIn(moments: readonly Moment[], untilS: number): readonly string[] {
  const runs = new Map<string, number>();
  const signs = new Map<string, number>();
  for (const { s, picture } of moments.filter((moment) => moment.s >= 0 && moment.s <= untilS)) {
    const broken = TIKV.invariants
      .filter(({ name }) => name !== 'leaders-balanced')
      .flatMap((invariant) => invariant.check(picture).broken.map(({ target }) => signOf(invariant.name, target)));
    for (const sign of [...runs.keys()]) if (!broken.includes(sign)) runs.delete(sign);
    for (const sign of broken) {
      runs.set(sign, (runs.get(sign) ?? 0) + 1);
      if (runs.get(sign) === STEADY_S && !signs.has(sign)) signs.set(sign, s - STEADY_S + 1);
    }
  }
  return [...signs].sort((a, b) => a[1] - b[1]).map(([sign, s]) => `${sign} +${s}`);
}

const signOf = (invariant: string, target: string | null): string =>
  target === null ? invariant : `${invariant} ${target}`;

/** A ticket that is opened later would outlast the recording. */
const LAST_WORDS_S = 10;

/** The same as if a ticket were opened at each moment at which something is broken; what is only shown, while it lasts. */
export async function anyTime(scenario: Scenario): Promise<readonly Diagnosis[]> {
  const { moments, healedAtS } = readRecording(scenario);
  const lastS = moments.at(-1)?.s ?? 0;
  const opened = moments
    .filter(({ s }) => s >= -10 && s <= lastS - LAST_WORDS_S)
    .flatMap((moment) => openedAt(moment, moment.s >= 0 && moment.s < healedAtS ? ['files', 'shown'] : ['files']));
  return Promise.all(opened.map((filed) => diagnose({ scenario, moments, filed })));
}

function openedAt({ s, picture }: Moment, kinds: readonly Filed['by'][]): readonly Filed[] {
  return kinds.flatMap((by) => {
    const violations = violationsIn(picture, by);
    const isNew = by === 'files' ? violations.length > 0 : violations.some(({ target }) => target !== null);
    return isNew ? [{ s, by, violations }] : [];
  });
}

interface Opening {
  readonly scenario: Scenario;
  readonly moments: readonly Moment[];
  readonly filed: Filed;
}

async function diagnose({ scenario, moments, filed }: Opening): Promise<Diagnosis> {
  const story = await investigate({ moments, filed });
  const { nextStep } = story.last;
  return { scenario, filed, story, named: namedIn(nextStep), verdict: verdictOn(nextStep, TRUTHS[scenario]) };
}
