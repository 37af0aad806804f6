import { createHash } from 'node:crypto';
import { unknownIn } from '../../../activities/health.js';
import type { Digest, PastProposal } from '../../../src/domain/digest.js';
import type { Evidence } from '../../../src/domain/evidence.js';
import { type EvidenceId, evidenceId, instant, ticketId } from '../../../src/domain/ids.js';
import type { NextStep, Thought } from '../../../src/domain/next-step.js';
import { NOTHING_NOTED, noteLook, noteWorld } from '../../../src/domain/progress.js';
import { type Call, callBytes, describeCall } from '../../../src/domain/query.js';
import { fingerprint, type Violation } from '../../../src/domain/violation.js';
import { advance, NOTHING_WATCHED } from '../../../src/domain/watching.js';
import { createRulesReasoner } from '../../../src/reasoner/rules.js';
import { storeNamed, witnessOf } from '../../../subjects/tikv/picture/look-up.js';
import { reachWords } from '../../../subjects/tikv/picture/words.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { PROFILES } from '../../../subjects/tikv/profiles.js';
import { RULES_VERSION } from '../../../subjects/tikv/rules.js';
import { WITNESS_COMMAND } from '../../../subjects/tikv/services.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import { firstAttempt } from '../../support/first-attempt.js';
import type { Moment } from './recorded-pictures.js';

/** Violations past their grace, as the desk would file them: one target and every untargeted symptom. */
export interface Filed {
  readonly s: number;
  readonly violations: readonly Violation[];
  /** `shown`: evidence invariants, which file no ticket yet; investigated as if they did. */
  readonly by: 'files' | 'shown';
}

/** Watches a recording at the pace of the real profile: everything that is filed at the first moment of something new. */
export const filedIn = (moments: readonly Moment[]): readonly Filed[] => watched(moments, 'files');

/** The same for what is only shown, where it has a target and a rule that follows it. */
export const shownIn = (moments: readonly Moment[]): readonly Filed[] =>
  watched(moments, 'shown').filter(({ violations }) => violations.some(({ target }) => target !== null));

function watched(moments: readonly Moment[], by: Filed['by']): readonly Filed[] {
  const { sampleMs, graceSamples, clearSamples } = PROFILES.real.watch;
  const targets = new Set<string | null>();
  const filed: Filed[] = [];
  let state = NOTHING_WATCHED;
  for (const { s, picture } of moments.filter((moment) => moment.s % (sampleMs / 1_000) === 0)) {
    const checks = invariantsFor(by).map((invariant) => invariant.check(picture));
    const next = advance(state, checks, { subject: 'tikv', at: picture.at, graceSamples, clearSamples });
    state = next.state;
    const { active } = next.findings;
    for (const target of new Set(active.map((violation) => violation.target))) {
      if (targets.has(target)) continue;
      targets.add(target);
      filed.push({ s, by, violations: active.filter((v) => v.target === null || v.target === target) });
    }
  }
  return filed;
}

/** Only what has a target leads a rule to somebody; the others of the evidence are remarks. */
const invariantsFor = (by: Filed['by']) =>
  TIKV.invariants.filter(({ name, use }) => use === 'files' || (by === 'shown' && DIAGNOSED.has(name)));

const DIAGNOSED = new Set(['peers-fast', 'store-not-slow', 'leaders-fast', 'leaders-stay', 'store-has-space']);

/** What PD is told nobody asked while most of them were recorded; a live PD answers it. */
const ANSWERED = TIKV.invariants.filter(({ name }) => name !== 'orders-as-shipped');

/** How an investigation ended. */
export interface Story {
  readonly steps: readonly NextStep[];
  readonly last: Thought;
  /** Seconds since the fault when it ended. */
  readonly endedAt: number;
  readonly calls: readonly string[];
  /** The longest row of turns without progress. */
  readonly mostIdle: number;
}

export interface Investigation {
  readonly moments: readonly Moment[];
  readonly filed: Filed;
  readonly proposals?: readonly PastProposal[];
}

/**
 * Lets the rules think, with looks answered by the recording: a turn takes a second, and a repeated look waits for one
 * sample first, as in a ticket.
 */
export async function investigate({ moments, filed, proposals = [] }: Investigation): Promise<Story> {
  const reasoner = createRulesReasoner({ rules: TIKV.rules, invariants: ANSWERED, version: RULES_VERSION });
  const bodies = new Map<EvidenceId, string>();
  const evidence: Evidence[] = [];
  const steps: NextStep[] = [];
  const add = (item: Omit<Evidence, 'id'>, body: string) => {
    const id = evidenceId(bodies.size + 1);
    bodies.set(id, body);
    evidence.push({ ...item, id });
    return id;
  };
  let progress = NOTHING_NOTED;
  let mostIdle = 0;
  let waitedS = 0;
  for (let turn = 1; ; turn++) {
    const moment = moments.find(({ s }) => s >= filed.s + turn + waitedS) ?? (moments.at(-1) as Moment);
    const { picture } = moment;
    const pictureId = add(seen(picture.at, null, 0), JSON.stringify(picture));
    const broken = violationsIn(picture).map((violation) => violation.fingerprint);
    progress = noteWorld(progress, { broken, unknown: unknownIn(TIKV, picture) });
    const digest = digestOf({ turn, picture, pictureId, filed, evidence, proposals });
    const last = await reasoner.reason(digest, {
      body: async (id) => bodies.get(id) ?? missing(id),
      attempt: firstAttempt(),
    });
    const before = steps.at(-1);
    steps.push(last.nextStep);
    if (last.nextStep.kind !== 'look' || turn > 30)
      return {
        steps,
        last,
        endedAt: moment.s,
        calls: evidence.flatMap(({ call }) => (call ? [describeCall(call)] : [])),
        mostIdle,
      };
    if (isRepeat(last.nextStep, before)) waitedS += PROFILES.real.watch.sampleMs / 1_000;
    const found = last.nextStep.calls.map((call) => {
      const { exit, body, failure, durationMs = 5 } = answerTo(call, picture);
      const sha256 = createHash('sha256').update(body).digest('hex');
      const id = add({ ...seen(picture.at, call, exit), failure, durationMs, sha256 }, body);
      return { call, found: evidence.find((one) => one.id === id) ?? missing(id) };
    });
    progress = noteLook(progress, found);
    mostIdle = Math.max(mostIdle, progress.idle);
  }
}

/** All its calls were in the look before. */
function isRepeat(step: NextStep, before: NextStep | undefined): boolean {
  if (step.kind !== 'look' || before?.kind !== 'look') return false;
  const asked = new Set(before.calls.map(callBytes));
  return step.calls.every((call) => asked.has(callBytes(call)));
}

interface Sight {
  readonly turn: number;
  readonly picture: TikvPicture;
  readonly pictureId: EvidenceId;
  readonly filed: Filed;
  readonly evidence: readonly Evidence[];
  readonly proposals: readonly PastProposal[];
}

function digestOf({ turn, picture, pictureId, filed, evidence, proposals }: Sight): Digest {
  const targets = new Set(filed.violations.map(({ target }) => target));
  return {
    ticket: ticketId('tikv', 1),
    subject: 'tikv',
    environment: 'lab',
    turn,
    at: picture.at,
    violations: violationsIn(picture, filed.by).filter(({ target }) => target === null || targets.has(target)),
    cleared: filed.violations.map((violation) => ({ violation, at: picture.at })),
    picture: { evidence: pictureId, lines: TIKV.summary(picture) },
    expected: TIKV.expectations?.(picture) ?? [],
    others: [],
    board: [],
    evidence: [...evidence],
    proposals,
    refusals: [],
    hints: [],
    left: { turns: 30 - turn, looks: 100, acts: 5, tokens: 0, usd: 0, wallMs: 600_000 },
    agent: 'on-call-triage',
    transcript: null,
  };
}

/** What is broken in this very picture. */
export function violationsIn(picture: TikvPicture, by: Filed['by'] = 'files'): Violation[] {
  return invariantsFor(by).flatMap((invariant) =>
    invariant.check(picture).broken.map((broken) => ({
      ...broken,
      invariant: invariant.name,
      fingerprint: fingerprint('tikv', invariant.name, broken.target),
      since: picture.at,
    })),
  );
}

/** What nobody asked PD during the recording, it does not answer now. */
function isUnrecorded(path: string, { vitals: { scheduling } }: TikvPicture): boolean {
  if (path.startsWith('/pd/api/v1/config')) return !scheduling.limits.known;
  if (path.includes('status=paused')) return !scheduling.paused.known;
  return path === '/pd/api/v1/schedulers' && !scheduling.schedulers.known;
}

interface Reply {
  readonly exit: number | null;
  readonly body: string;
  readonly failure?: string;
  readonly durationMs?: number;
}

function answerTo(call: Call, picture: TikvPicture): Reply {
  if (call.kind === 'shell') return hostSays(call.command, picture);
  if (call.api === 'tikv-status') return portSays(call.node ?? '', picture);
  if (isUnrecorded(call.path, picture)) return { exit: 404, body: 'not recorded' };
  const isRead = picture.vitals.leadership.known;
  return isRead ? { exit: 200, body: '{}' } : { exit: null, body: '', failure: 'connection refused' };
}

function hostSays(command: string, picture: TikvPicture): Reply {
  const node = /^labctl (?:inspect|logs) (\S+)/.exec(command)?.[1] ?? '';
  if (command === WITNESS_COMMAND) return { exit: 0, body: JSON.stringify(nodesIn(picture)) };
  if (command.startsWith('labctl logs')) return { exit: 0, body: '[INFO] ["tick"]\n' };
  const witness = witnessOf(picture, node);
  return witness.known ? { exit: 0, body: JSON.stringify({ name: node, ...witness.value }) } : { exit: 1, body: '' };
}

const nodesIn = ({ vitals }: TikvPicture) =>
  [...vitals.pd, ...vitals.stores].flatMap(({ name, witness }) => (witness.known ? [{ name, ...witness.value }] : []));

function portSays(node: string, picture: TikvPicture): Reply {
  const reach = storeNamed(picture, node)?.reach;
  if (!reach?.known) return { exit: null, body: '', failure: 'no answer' };
  if (reach.value.kind === 'answers') return { exit: reach.value.status, body: '', durationMs: reach.value.ms };
  return { exit: null, body: '', failure: reachWords(reach.value) };
}

function seen(at: string, call: Call | null, exit: number | null): Omit<Evidence, 'id'> {
  const nothing = { line: '', head: '', tail: '', bytes: 0, sha256: '', redactions: 0, tainted: false };
  return { at: instant(Date.parse(at)), host: 'lab', call, exit, durationMs: 5, ...nothing };
}

function missing(id: EvidenceId): never {
  throw new Error(`the rules asked for ${id}, which is not in the store`);
}
