import { describe, expect, it } from '@jest/globals';
import { clusterFindings } from '../../../../src/cli/doctor/cluster.js';
import type { FleetSubject } from '../../../../src/config/subject.js';
import { MedicError } from '../../../../src/domain/errors.js';
import { refusingServer } from '../../../support/http-server.js';
import { type RecordedPd, withRecordedPds } from '../../../support/recorded-pd.js';

const recorded = withRecordedPds();

const subject = (endpoints: string[]): FleetSubject => ({
  name: 'prod',
  type: 'tikv',
  environment: 'production',
  autonomy: 'observe',
  pd: { endpoints },
  hosts: [],
});

async function findings(endpoints: string[], aheadMs = 0) {
  const found = await clusterFindings(subject(endpoints), {
    access: async () => ({}),
    now: () => Date.now() + aheadMs,
  });
  return Object.fromEntries(found.map(({ check, ...rest }) => [check, rest]));
}

const urls = ({ members }: RecordedPd) => members.map(({ clientUrl }) => clientUrl);

describe('doctor on a cluster', () => {
  it('finds a sound one in order, with its id, its versions, its quorum and its clocks', async () => {
    const found = await findings(urls(await recorded()));
    expect(found).toMatchObject({
      'prod endpoints': { state: 'ok' },
      'prod cluster': { state: 'ok', seen: '7713933192204896888, 3 members of PD, 4 stores' },
      'prod versions': { state: 'ok', seen: 'PD v8.5.5, TiKV v8.5.5' },
      'prod PD quorum': { state: 'ok', seen: '3 of 3 members see it' },
      'prod clocks': { state: 'ok', seen: expect.stringContaining('(an estimate, ±0.5 s)') },
    });
  });

  it('says which endpoint cannot be reached, and goes on with the others', async () => {
    const { origin } = await refusingServer();
    const found = await findings([origin, ...urls(await recorded())]);
    expect(found['prod endpoints']).toMatchObject({
      state: 'unreachable',
      seen: expect.stringContaining(`${origin}: connection refused`),
    });
    expect(found['prod cluster']).toMatchObject({ state: 'ok' });
  });

  it('wants endpoints of one cluster only', async () => {
    const [one, other] = [await recorded(), await recorded()];
    other.instead.set('/pd/api/v1/members', {
      header: { cluster_id: 5 },
      members: [{ name: 'pd0', client_urls: [urls(other)[0]], binary_version: 'v8.5.5' }],
    });
    const found = await findings([urls(one)[0]!, urls(other)[0]!]);
    expect(found['prod cluster']).toMatchObject({
      state: 'fix',
      seen: expect.stringContaining('of different clusters'),
    });
  });

  it('names members that see no quorum, clocks that are off and versions that are mixed', async () => {
    const pd = await recorded();
    const found = await findings(urls(pd), 60_000);
    expect(found['prod clocks']).toMatchObject({ state: 'fix', seen: expect.stringMatching(/pd0 -(59|60)\.\d s/) });

    pd.instead.set('/pd/api/v1/stores', {
      stores: [{ store: { id: 1, address: 'a:1', state_name: 'Up', version: '8.1.0' } }],
    });
    expect((await findings(urls(pd)))['prod versions']).toEqual({
      state: 'fix',
      seen: 'PD v8.5.5, TiKV v8.1.0: finish the upgrade, or expect its restarts in tickets',
    });
    pd.mood = 'leaderless';
    expect((await findings(urls(pd)))['prod cluster']).toMatchObject({
      state: 'unreachable',
      seen: expect.stringContaining('redirect finds no leader'),
    });
  });

  it('says which secret is missing, and asks nothing without it', async () => {
    const pd = await recorded();
    const found = await clusterFindings(subject(urls(pd)), {
      access: async () => {
        throw new MedicError('MEDIC_SECRET_MISSING', 'the file /etc/medic/ca.pem');
      },
      now: Date.now,
    });
    expect(found).toMatchObject([
      { check: 'prod access', state: 'fix', seen: expect.stringContaining('the file /etc/medic/ca.pem') },
    ]);
    expect(pd.requests()).toBe(0);
  });
});
