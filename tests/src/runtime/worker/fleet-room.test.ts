import { describe, expect, it } from '@jest/globals';
import type { FleetSubject } from '../../../../src/config/subject.js';
import type { Reasoner } from '../../../../src/reasoner/reasoner.js';
import { createFleetRoom } from '../../../../src/runtime/worker/fleet-room.js';
import { DEFAULT_WAITS } from '../../../../src/runtime/worker/settings.js';
import { startRecordedPd } from '../../../support/recorded-pd.js';
import { withHome } from '../../evidence/home.js';

const subject = (endpoints: string[]): FleetSubject => ({
  name: 'prod',
  type: 'tikv',
  environment: 'production',
  autonomy: 'observe',
  pd: { endpoints },
  hosts: [{ name: 'kv-b', address: 'tikv1', transport: 'none', services: [] }],
});
const NOBODY = {} as Reasoner;

describe('the room of a cluster of ours', () => {
  it('knows it from its PD, answers for its hosts what is missing, and asks for nothing heavy', () =>
    withHome(async (home) => {
      const pd = await startRecordedPd();
      const warnings: string[] = [];
      const { room, close } = await createFleetRoom(
        subject([pd.members[0]!.clientUrl]),
        { home, profile: 'real', waits: DEFAULT_WAITS },
        { reasoner: NOBODY, env: {}, warn: (why) => warnings.push(why), now: Date.now },
      );
      const picture = await room.eyes.observe('vitals');
      expect(picture.vitals.stores.map(({ name }) => name)).toEqual([
        'kv-b:20160',
        'tikv0:20160',
        'tikv2:20160',
        'tikv3:20160',
      ]);
      expect(room.nodeAt?.('tikv1:20160')).toBe('kv-b:20160');
      expect(Object.values(room.endpoints)).toContain('tikv-status');
      expect(room.hostless).toBe('not available: Medic has no access to the hosts of prod');
      expect(picture.vitals.stores[0]?.witness).toMatchObject({ known: false, reason: room.hostless });

      const call = { kind: 'http', api: 'pd', method: 'GET', path: '/pd/api/v1/regions' } as const;
      expect(await room.eyes.http(call)).toMatchObject({ status: null, failure: expect.stringContaining('too heavy') });
      expect(await room.eyes.http({ ...call, path: '/pd/api/v1/regions/count' })).toMatchObject({ status: 200 });
      expect(pd.paths()['/pd/api/v1/regions']).toBeUndefined();
      expect(warnings).toEqual([]);
      await close();
      await pd.close();
    }));

  it('remembers who was there, so that a PD that is down at the next start is a violation with names', () =>
    withHome(async (home) => {
      const pd = await startRecordedPd();
      const endpoints = pd.members.map(({ clientUrl }) => clientUrl);
      const settings = { home, profile: 'real', waits: DEFAULT_WAITS } as const;
      const deps = { reasoner: NOBODY, env: {}, warn: () => {}, now: Date.now };
      const first = await createFleetRoom(subject(endpoints), settings, deps);
      await first.room.eyes.observe('vitals');
      await first.close();
      await pd.close();

      const second = await createFleetRoom(subject(endpoints), settings, deps);
      const picture = await second.room.eyes.observe('vitals');
      expect(picture.vitals.pd.map(({ name }) => name).sort()).toEqual(['pd0', 'pd1', 'pd2']);
      expect(picture.vitals.stores).toHaveLength(4);
      const quorum = second.room.subject.invariants.find(({ name }) => name === 'pd-quorum')!;
      expect(quorum.check(picture)).toMatchObject({ known: true, broken: [{ target: 'pd', severity: 'critical' }] });
      await second.close();
    }));

  it('says which secret cannot be read, and looks all the same', () =>
    withHome(async (home) => {
      const pd = await startRecordedPd();
      const warnings: string[] = [];
      const of = subject([pd.members[0]!.clientUrl]);
      const { room, close } = await createFleetRoom(
        { ...of, pd: { ...of.pd, token: { env: 'MEDIC_PD_TOKEN' } } },
        { home, profile: 'real', waits: DEFAULT_WAITS },
        { reasoner: NOBODY, env: {}, warn: (why) => warnings.push(why), now: Date.now },
      );
      expect((await room.eyes.observe('vitals')).vitals.leadership.known).toBe(true);
      expect(warnings).toEqual(['the variable MEDIC_PD_TOKEN']);
      await close();
      await pd.close();
    }));
});
