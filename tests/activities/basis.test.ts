import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { basisHashOf } from '../../activities/basis-hash.js';
import type { Room } from '../../activities/room.js';
import { judgeInputFor, type RulingDeps } from '../../activities/ruling.js';
import { instant } from '../../src/domain/ids.js';
import { type Basis, basisChanges, type Step } from '../../src/domain/proposal.js';
import { NOBODY } from '../../src/policy/authority.js';
import { judgeProposal } from '../../src/policy/judge.js';
import type { TikvPicture } from '../../subjects/tikv/picture.js';
import { PROFILES } from '../../subjects/tikv/profiles.js';
import { TIKV } from '../../subjects/tikv/subject.js';
import {
  AT,
  died,
  fact,
  healthy,
  pdStore,
  REFUSED,
  reach,
  region,
  secondsAgo,
  withStore,
  witness,
} from '../subjects/tikv/pictures.js';
import { NO_SELF } from '../support/no-self.js';

const ROOM = { subject: TIKV, endpoints: {}, sampling: PROFILES.fast.watch } as unknown as Room;
const STOP: Step = {
  ...{ describe: 'stop the store tikv-3', action: null, target: 'tikv-3' },
  call: { kind: 'shell', host: 'lab', command: 'labctl stop tikv-3' },
  inverse: { kind: 'irreversible', why: 'the test' },
  timeoutMs: 30_000,
};
const AGENT = {
  ...{ name: 'triage', version: 1, sha256: 'x', subject: 'tikv', actions: [], runbook: '' },
  ...{ looks: { apis: [], programs: [] }, limits: { turns: 9, looks: 9, acts: 9, tokens: 9, usd: 9, wallMs: 9 } },
};

/** Of the proposal to stop a store, on such a picture. */
async function basisOn(picture: TikvPicture, { at = AT, step = STOP } = {}): Promise<Basis> {
  const deps: RulingDeps = {
    ...{ desk: { recentRuns: async () => 0 }, agent: async () => AGENT, authority: async () => NOBODY },
    policy: async () => ({ version: 1, environment: 'lab', autonomy: 'playbooks', preApproved: [] }),
    ...{ self: NO_SELF, now: () => Date.parse(at) },
  };
  const cause = { class: 'process-frozen', target: 'tikv-3' };
  const ask = {
    step,
    phase: 'proposing',
    cause,
    agent: AGENT.name,
    facts: { picture, at: instant(Date.parse(at)) },
  } as const;
  return judgeProposal([await judgeInputFor(deps, ROOM, ask)]).basis;
}

const REGIONS = [
  region('14', ['tikv-1', 'tikv-2', 'tikv-3']),
  region('18', ['tikv-0', 'tikv-1', 'tikv-2']),
  region('22', ['tikv-0', 'tikv-1', 'tikv-3']),
];

/** What moves all the time in a lab in which nothing is wrong. */
const busyness = fc.record({
  /** Of the picture, within ten minutes. */
  afterMs: fc.nat(600_000),
  heartbeatAgoMs: fc.nat(1_500),
  leaders: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
  counts: fc.array(fc.record({ leaders: fc.nat(24), regions: fc.nat(24) }), { minLength: 4, maxLength: 4 }),
  answerMs: fc.nat(40),
  p99Ms: fc.nat(60),
});
type Busyness = typeof busyness extends fc.Arbitrary<infer T> ? T : never;

function busy({ afterMs, heartbeatAgoMs, leaders, counts, answerMs, p99Ms }: Busyness) {
  const at = instant(Date.parse(AT) + afterMs);
  const later = <T>(value: T): T => JSON.parse(JSON.stringify(value), (_key, seen) => (seen === AT ? at : seen)) as T;
  const placed = REGIONS.map((one, i) => ({ ...one, leader: one.voters[leaders[i] ?? 0] ?? null }));
  let picture = { ...healthy(), placement: fact({ regions: placed }) };
  for (const [i, count] of counts.entries())
    picture = withStore(picture, `tikv-${i}`, {
      pd: pdStore(String(i + 1), { ...count, lastHeartbeat: instant(Date.parse(at) - heartbeatAgoMs) }),
      reach: reach({ kind: 'answers', status: 200, ms: answerMs }),
    }) as typeof picture;
  const probe = { regionsOk: 24, regionsFailed: 0, errors: {}, p50Ms: 2, p99Ms, byStore: {} };
  return { at, picture: later({ ...picture, vitals: { ...picture.vitals, probe: fact(probe) } }) };
}

describe('the basis of a proposal', () => {
  it('has one hash through ten minutes of a healthy, busy lab: loads, leaders and times are no part of it', async () => {
    const idle = await basisOn(healthy());
    await fc.assert(
      fc.asyncProperty(busyness, async (load) => {
        const { at, picture } = busy(load);
        const now = await basisOn(picture, { at });
        expect(basisHashOf(now)).toBe(basisHashOf(idle));
        expect(basisChanges(idle, now)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it.each<[string, TikvPicture, Step?]>([
    ['the process is another', withStore(healthy(), 'tikv-3', { witness: witness({ startedAt: secondsAgo(60) }) })],
    ['the process ended', withStore(healthy(), 'tikv-3', { witness: died(), reach: REFUSED })],
    ['PD knows it by another id', withStore(healthy(), 'tikv-3', { pd: pdStore('9') })],
    [
      'the command is another',
      healthy(),
      { ...STOP, call: { kind: 'shell', host: 'lab', command: 'labctl stop tikv-3 --grace 1s' } },
    ],
    ['it is taken back in another way', healthy(), { ...STOP, inverse: { kind: 'none', why: 'x' } }],
  ])('has another hash when %s, and names what changed', async (_what, picture, step = STOP) => {
    const [before, now] = [await basisOn(healthy()), await basisOn(picture, { step })];
    expect(basisHashOf(now)).not.toBe(basisHashOf(before));
    expect(basisChanges(before, now)).not.toEqual([]);
  });

  it.each<[string, TikvPicture, string]>([
    ['another store is impaired', withStore(healthy(), 'tikv-0', { witness: died(), reach: REFUSED }), 'impaired'],
    [
      'a group has less to spare',
      { ...healthy(), placement: fact({ regions: [region('14', ['tikv-1', 'tikv-2', 'tikv-3'], ['tikv-1'])] }) },
      'margin',
    ],
  ])('names it as a change when %s, and not when that is over', async (_what, picture, word) => {
    const [before, now] = [await basisOn(healthy()), await basisOn(picture)];
    expect(basisChanges(before, now).join()).toContain(word);
    expect(basisChanges(now, before)).toEqual([]);
  });
});
