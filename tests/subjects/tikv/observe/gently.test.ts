import { afterEach, describe, expect, it } from '@jest/globals';
import { gap } from '../../../../src/domain/reading.js';
import type { SubjectEyes } from '../../../../subjects/protocol.js';
import { createTikvEyes } from '../../../../subjects/tikv/observe/eyes.js';
import { gentlenessOf, PD_REQUESTS_PER_SECOND } from '../../../../subjects/tikv/observe/gently.js';
import { storeNamed } from '../../../../subjects/tikv/picture/look-up.js';
import type { TikvPicture } from '../../../../subjects/tikv/picture.js';
import { PROFILES } from '../../../../subjects/tikv/profiles.js';
import { refusingServer } from '../../../support/http-server.js';
import { type RecordedPd, startRecordedPd } from '../../../support/recorded-pd.js';

const { sampleMs } = PROFILES.real.watch;
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

interface Watched {
  readonly pd: RecordedPd;
  readonly eyes: SubjectEyes<TikvPicture>;
  /** Looks as the patrol does, without its waiting; the time is counted, not spent. */
  samples(count: number): Promise<TikvPicture>;
}

async function watched({ members = 3, dead = 0 }: { members?: number; dead?: number } = {}): Promise<Watched> {
  const names = Array.from({ length: members }, (_, index) => `pd${index}`);
  const pd = await startRecordedPd(names);
  const refusing = await refusingServer();
  let now = Date.parse('2026-11-30T12:02:30.000Z');
  const eyes = createTikvEyes({
    inventory: {
      subject: 'tikv',
      host: 'hosts',
      pd: pd.members.map((member, index) => (index < dead ? { ...member, clientUrl: refusing.origin } : member)),
      stores: pd.stores.map(({ address }, index) => ({
        name: `tikv${index}`,
        address: refusing.address,
        statusAddress: index === 3 ? refusing.address : address,
      })),
    },
    profile: PROFILES.real,
    runOnHost: async () => ({ exitCode: null, stdout: '', stderr: '', failure: 'not available' }),
    probe: { reading: () => gap('no probe here', { at: '', source: 'test' }) },
    clock: () => now,
    gently: gentlenessOf(PROFILES.real, { members, endpoints: pd.members.map(({ clientUrl }) => clientUrl) }),
  });
  open.push(eyes, pd);
  return {
    pd,
    eyes,
    samples: async (count) => {
      for (let left = count; left > 1; left -= 1) {
        await eyes.observe('vitals');
        now += sampleMs;
      }
      const picture = await eyes.observe('vitals');
      now += sampleMs;
      return picture;
    },
  };
}

const THREE_MINUTES = 180_000 / sampleMs;
const A_MINUTE = THREE_MINUTES / 3;
const MOST = (PD_REQUESTS_PER_SECOND * THREE_MINUTES * sampleMs) / 1_000;

describe('a cluster that others live from', () => {
  it.each([3, 7])('with %d members of PD is asked at most two things a second', async (members) => {
    const { pd, samples } = await watched({ members });
    await samples(THREE_MINUTES);
    expect(pd.requests()).toBeGreaterThan(THREE_MINUTES * members);
    expect(pd.requests()).toBeLessThanOrEqual(MOST);
  });

  it('is asked no more often when PD has no leader, or when a member is dead', async () => {
    const leaderless = await watched();
    await leaderless.samples(2);
    leaderless.pd.mood = 'leaderless';
    const before = leaderless.pd.requests();
    const picture = await leaderless.samples(A_MINUTE);
    expect(leaderless.pd.requests() - before).toBeLessThanOrEqual(MOST / 3);
    expect(picture.vitals.leadership.known).toBe(false);
    expect(picture.vitals.pd[0]).toMatchObject({
      reach: { value: { kind: 'answers', status: 200 } },
      quorum: { value: { healthy: false, reason: 'RAFT NO LEADER' } },
    });

    const lame = await watched({ dead: 1 });
    await lame.samples(A_MINUTE);
    expect(lame.pd.requests()).toBeLessThanOrEqual(MOST / 3);
  });

  it('is known as well as a lab, with the time of each answer', async () => {
    const { eyes, pd, samples } = await watched();
    const first = await samples(1);
    expect(first.vitals.leadership).toMatchObject({ value: { leader: 'pd1', members: ['pd0', 'pd2', 'pd1'] } });
    const { regions, scheduling } = await samples(2).then(({ vitals }) => vitals);
    expect([regions.total, scheduling.schedulers].map(({ observedAt }) => observedAt)).toEqual(
      [first.vitals.regions.total, first.vitals.scheduling.schedulers].map(({ observedAt }) => observedAt),
    );
    expect((await samples(2)).vitals.regions.total.observedAt > first.vitals.regions.total.observedAt).toBe(true);
    expect(pd.paths()['/pd/api/v1/regions']).toBeUndefined();
    expect((await eyes.observe('placement')).placement.known).toBe(true);
  });

  it('is not asked who holds what when that would be a heavy answer', async () => {
    const { eyes, pd } = await watched();
    pd.instead.set('/pd/api/v1/stats/region', { count: 5_001, store_leader_count: { 1: 5_001 } });
    expect((await eyes.observe('placement')).placement).toMatchObject({
      known: false,
      reason: '5001 regions are too many to be listed without harm (at most 5000 are)',
    });
    expect(pd.paths()['/pd/api/v1/regions']).toBeUndefined();
  });

  it('is not said to be broken where a port was never open to us', async () => {
    const { samples, pd } = await watched();
    const reach = (picture: TikvPicture, name: string) => storeNamed(picture, name)?.reach;
    const picture = await samples(1);
    expect(reach(picture, 'tikv3')).toMatchObject({
      known: false,
      reason: 'not available: it has never answered from where Medic runs',
    });
    expect(reach(picture, 'tikv0')).toMatchObject({ known: true });
    await pd.stores[0]!.close();
    expect(reach(await samples(1), 'tikv0')).toMatchObject({ known: true, value: { kind: 'refused' } });
  });
});
