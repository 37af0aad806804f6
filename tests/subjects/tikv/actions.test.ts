import { describe, expect, it } from '@jest/globals';
import { loadAgent } from '../../../src/config/agent.js';
import { loadPolicy } from '../../../src/config/policy.js';
import { ACTIONS } from '../../../subjects/tikv/actions.js';
import { CAUSES } from '../../../subjects/tikv/causes.js';
import type { PdStore, Store, TikvPicture, Vitals } from '../../../subjects/tikv/picture.js';
import {
  died,
  fact,
  healthy,
  justKilled,
  limits,
  nothing,
  pdStore,
  pdUnreadable,
  withPd,
  withStore,
  witness,
} from './pictures.js';

const told = (changes: Partial<Vitals['scheduling']>): TikvPicture =>
  healthy({ scheduling: { ...healthy().vitals.scheduling, ...changes } });

const pd = (method: 'POST' | 'DELETE', path: string, body?: string) => ({
  kind: 'http',
  api: 'pd',
  method,
  path: `/pd/api/v1${path}`,
  ...(body === undefined ? {} : { body }),
});

const startStore = ACTIONS.find(({ name }) => name === 'start-store')!;
const may = (picture: TikvPicture) => startStore.precondition(picture, 'tikv-2');

describe('start-store', () => {
  it('may run for a store that died', () => {
    expect(may(justKilled())).toEqual({ verdict: 'yes', reason: 'tikv-2 exited 137, died' });
  });

  it('may run while PD cannot be read: only the witness counts', () => {
    expect(may(pdUnreadable(justKilled())).verdict).toBe('yes');
  });

  it.each([
    [
      'stopped by request',
      { witness: died({ stoppedByRequest: true, exitCode: 0 }) },
      'tikv-2 exited 0, stopped by request',
    ],
    ['running', {}, 'tikv-2 running (pid 4711)'],
    ['paused', { witness: witness({ state: 'paused' }) }, 'tikv-2 paused (pid 4711)'],
  ])('may not run for a store that is %s', (_, changes, reason) => {
    expect(may(withStore(healthy(), 'tikv-2', changes))).toEqual({ verdict: 'no', reason });
  });

  it('is not known to be allowed without a witness', () => {
    expect(may(withStore(healthy(), 'tikv-2', { witness: nothing }))).toEqual({
      verdict: 'unknown',
      reason: 'no witness of tikv-2: no answer',
    });
  });

  it('may not run for what is no store', () => {
    expect(startStore.precondition(healthy(), 'pd-1').verdict).toBe('no');
    expect(startStore.precondition(healthy(), 'tikv-2; rm -rf /').verdict).toBe('no');
  });

  it('is one command on the host that takes nothing away', () => {
    expect(startStore.call('tikv-2', healthy())).toEqual({
      kind: 'shell',
      host: 'lab',
      command: 'labctl start tikv-2',
    });
    expect(startStore.inverse(justKilled(), 'tikv-2')).toEqual({
      kind: 'none',
      why: 'restorative: it takes nothing away',
    });
  });

  it('is done when the process runs, and not known to be without a witness', () => {
    expect(startStore.isDone(healthy(), 'tikv-2').verdict).toBe('yes');
    expect(startStore.isDone(justKilled(), 'tikv-2').verdict).toBe('no');
    expect(startStore.isDone(withStore(healthy(), 'tikv-2', { witness: nothing }), 'tikv-2').verdict).toBe('unknown');
  });
});

describe('resume-process', () => {
  const action = ACTIONS.find(({ name }) => name === 'resume-process')!;
  const frozen = { witness: witness({ state: 'paused' }) };

  it('may run for a store or a PD member that the host shows stopped, whether PD can be read or not', () => {
    expect(action.precondition(withStore(healthy(), 'tikv-2', frozen), 'tikv-2')).toEqual({
      verdict: 'yes',
      reason: 'tikv-2 paused (pid 4711)',
    });
    expect(action.precondition(pdUnreadable(withPd(healthy(), 'pd-1', frozen)), 'pd-1').verdict).toBe('yes');
  });

  it('may not run for one that runs or has ended, nor for what the host does not know', () => {
    expect(action.precondition(healthy(), 'tikv-2').verdict).toBe('no');
    expect(action.precondition(justKilled(), 'tikv-2').verdict).toBe('no');
    expect(action.precondition(withStore(healthy(), 'tikv-2', { witness: nothing }), 'tikv-2').verdict).toBe('unknown');
    expect(action.precondition(healthy(), 'tikv-9').verdict).toBe('unknown');
  });

  it('is one command on the host, done when the process runs', () => {
    expect(action.call('pd-1', healthy())).toEqual({ kind: 'shell', host: 'lab', command: 'labctl unpause pd-1' });
    expect(action.inverse(healthy(), 'pd-1')).toMatchObject({ kind: 'none' });
    expect(action.isDone(healthy(), 'tikv-2').verdict).toBe('yes');
    expect(action.isDone(withStore(healthy(), 'tikv-2', frozen), 'tikv-2').verdict).toBe('no');
  });
});

describe('start-pd-member', () => {
  const action = ACTIONS.find(({ name }) => name === 'start-pd-member')!;
  const gone = (changes: Parameters<typeof died>[0] = {}) =>
    pdUnreadable(withPd(healthy(), 'pd-1', { witness: died(changes) }));

  it('may run for a member that died, although PD cannot be read', () => {
    expect(action.precondition(gone(), 'pd-1')).toEqual({
      verdict: 'yes',
      reason: 'pd-1 exited 137, died; the data of pd-1 is there',
    });
  });

  it.each([
    ['was stopped by request', gone({ stoppedByRequest: true }), 'no'],
    ['runs', healthy(), 'no'],
    ['has lost its data', gone({ hasData: false }), 'no'],
    ['may have lost its data', gone({ hasData: undefined }), 'unknown'],
  ] as const)('may not run for a member that %s', (_, picture, verdict) => {
    expect(action.precondition(picture, 'pd-1').verdict).toBe(verdict);
  });

  it('may not run for a store', () => {
    expect(action.precondition(justKilled(), 'tikv-2')).toEqual({
      verdict: 'no',
      reason: 'tikv-2 is no PD member of this cluster',
    });
  });

  it('is done when the process runs', () => {
    expect(action.isDone(healthy(), 'pd-1').verdict).toBe('yes');
    expect(action.isDone(gone(), 'pd-1').verdict).toBe('no');
    expect(action.isDone(healthy(), 'tikv-1').verdict).toBe('unknown');
  });
});

describe('cancel-removal', () => {
  const action = ACTIONS.find(({ name }) => name === 'cancel-removal')!;
  const inState = (state: PdStore['state'], changes: Partial<Store> = {}) =>
    withStore(healthy(), 'tikv-2', { pd: pdStore('3', { state }), ...changes });

  it('may run for a store that PD calls Offline and whose process runs', () => {
    expect(action.precondition(inState('Offline'), 'tikv-2').verdict).toBe('yes');
    expect(action.call('tikv-2', inState('Offline'))).toEqual(pd('POST', '/store/3/state?state=Up'));
    expect(action.inverse(inState('Offline'), 'tikv-2')).toEqual({
      kind: 'restore',
      describe: 'remove tikv-2 again',
      call: pd('POST', '/store/3/state?state=Offline'),
    });
  });

  it.each([
    ['is Up', inState('Up'), 'no', 'PD calls tikv-2 Up'],
    ['is a Tombstone', inState('Tombstone'), 'no', 'PD calls tikv-2 Tombstone'],
    ['is not listed', withStore(healthy(), 'tikv-2', { pd: fact(null) }), 'no', 'PD does not list tikv-2'],
    ['died', inState('Offline', { witness: died() }), 'no', 'tikv-2 exited 137, died'],
    ['PD does not tell of', pdUnreadable(), 'unknown', 'PD does not tell of tikv-2: no answer'],
  ] as const)('may not run for a store that %s', (_, picture, verdict, reason) => {
    expect(action.precondition(picture, 'tikv-2')).toEqual({ verdict, reason });
  });

  it('is done when PD calls it Up', () => {
    expect(action.isDone(inState('Up'), 'tikv-2').verdict).toBe('yes');
    expect(action.isDone(inState('Offline'), 'tikv-2').verdict).toBe('no');
  });
});

describe('remove-scheduler', () => {
  const action = ACTIONS.find(({ name }) => name === 'remove-scheduler')!;
  const held = told({
    schedulers: fact(['balance-leader-scheduler', 'evict-leader-scheduler', 'shuffle-region-scheduler']),
    held: fact({ 'evict-leader-scheduler': ['3'] }),
  });

  it('takes one store out of a scheduler, and knows how to put it back', () => {
    expect(action.precondition(held, 'evict-leader-scheduler-3').verdict).toBe('yes');
    expect(action.call('evict-leader-scheduler-3', held)).toEqual(pd('DELETE', '/schedulers/evict-leader-scheduler-3'));
    expect(action.inverse(held, 'evict-leader-scheduler-3')).toEqual({
      kind: 'restore',
      describe: 'add evict-leader-scheduler-3 again',
      call: pd('POST', '/schedulers', '{"name":"evict-leader-scheduler","store_id":3}'),
    });
  });

  it('takes away one that holds no stores', () => {
    expect(action.precondition(held, 'shuffle-region-scheduler').verdict).toBe('yes');
    expect(action.inverse(held, 'shuffle-region-scheduler')).toMatchObject({
      call: pd('POST', '/schedulers', '{"name":"shuffle-region-scheduler"}'),
    });
  });

  it('says that it cannot put back what was made with more than that', () => {
    expect(action.inverse(held, 'scatter-range-scheduler')).toMatchObject({ kind: 'irreversible' });
  });

  it("may not run for PD's own, for a store that is not held, and for what is not known", () => {
    const may = (target: string, picture = held) => action.precondition(picture, target).verdict;
    expect(may('balance-leader-scheduler')).toBe('no');
    expect(may('evict-leader-scheduler-4')).toBe('no');
    expect(may('grant-leader-scheduler-3')).toBe('no');
    expect(may('evict-leader-scheduler-3', told({ ...held.vitals.scheduling, held: nothing }))).toBe('unknown');
    expect(may('evict-leader-scheduler-3', pdUnreadable())).toBe('unknown');
  });

  it('is done when PD no longer has it', () => {
    expect(action.isDone(held, 'evict-leader-scheduler-3').verdict).toBe('no');
    expect(action.isDone(healthy(), 'evict-leader-scheduler-3').verdict).toBe('yes');
    expect(action.isDone(pdUnreadable(), 'evict-leader-scheduler-3').verdict).toBe('unknown');
  });
});

describe('resume-scheduler', () => {
  const action = ACTIONS.find(({ name }) => name === 'resume-scheduler')!;
  const paused = told({ paused: fact(['balance-leader-scheduler']) });

  it('ends a pause, of one or of all', () => {
    expect(action.precondition(paused, 'balance-leader-scheduler').verdict).toBe('yes');
    expect(action.precondition(paused, 'all').verdict).toBe('yes');
    expect(action.precondition(paused, 'balance-region-scheduler').verdict).toBe('no');
    expect(action.precondition(pdUnreadable(), 'all').verdict).toBe('unknown');
    expect(action.call('balance-leader-scheduler', paused)).toEqual(
      pd('POST', '/schedulers/balance-leader-scheduler', '{"delay":0}'),
    );
    expect(action.isDone(paused, 'all').verdict).toBe('no');
    expect(action.isDone(healthy(), 'all').verdict).toBe('yes');
  });
});

describe('restored limits', () => {
  const limit = ACTIONS.find(({ name }) => name === 'restore-limit')!;
  const add = ACTIONS.find(({ name }) => name === 'restore-add-peer-limit')!;
  const tight = told({ limits: limits({ leaders: 0, stores: { '3': { 'add-peer': 0.1, 'remove-peer': 20 } } }) });

  it('are those that PD ships with, and the old value is known', () => {
    expect(limit.precondition(tight, 'leader-schedule-limit').verdict).toBe('yes');
    expect(limit.call('leader-schedule-limit', tight)).toEqual(
      pd('POST', '/config/schedule', '{"leader-schedule-limit":4}'),
    );
    expect(limit.inverse(tight, 'leader-schedule-limit')).toMatchObject({
      call: pd('POST', '/config/schedule', '{"leader-schedule-limit":0}'),
    });
    expect(add.precondition(tight, 'tikv-2').verdict).toBe('yes');
    expect(add.call('tikv-2', tight)).toEqual(pd('POST', '/store/3/limit', '{"type":"add-peer","rate":15}'));
    expect(add.inverse(tight, 'tikv-2')).toMatchObject({
      call: pd('POST', '/store/3/limit', '{"type":"add-peer","rate":0.1}'),
    });
  });

  it('are left alone where they keep nothing from moving', () => {
    expect(limit.precondition(tight, 'region-schedule-limit').verdict).toBe('no');
    expect(limit.precondition(tight, 'max-replicas').verdict).toBe('no');
    expect(
      ACTIONS.find(({ name }) => name === 'restore-remove-peer-limit')!.precondition(tight, 'tikv-2').verdict,
    ).toBe('no');
    expect(add.precondition(tight, 'tikv-1').verdict).toBe('unknown');
    expect(limit.precondition(pdUnreadable(), 'leader-schedule-limit').verdict).toBe('unknown');
  });

  it('are done when they no longer do', () => {
    expect(limit.isDone(tight, 'leader-schedule-limit').verdict).toBe('no');
    expect(limit.isDone(healthy(), 'leader-schedule-limit').verdict).toBe('yes');
    expect(add.isDone(tight, 'tikv-2').verdict).toBe('no');
    expect(add.isDone(healthy(), 'tikv-2').verdict).toBe('yes');
  });
});

describe('a restored leader weight', () => {
  const action = ACTIONS.find(({ name }) => name === 'restore-leader-weight')!;
  const weighed = withStore(healthy(), 'tikv-2', { pd: pdStore('3', { weights: { leader: 0, region: 2 } }) });
  const untold = withStore(healthy(), 'tikv-2', { pd: pdStore('3', { weights: undefined }) });

  it('is 1, and leaves the weight of the regions as it was', () => {
    expect(action.precondition(weighed, 'tikv-2').verdict).toBe('yes');
    expect(action.call('tikv-2', weighed)).toEqual(pd('POST', '/store/3/weight', '{"leader":1,"region":2}'));
    expect(action.inverse(weighed, 'tikv-2')).toMatchObject({
      call: pd('POST', '/store/3/weight', '{"leader":0,"region":2}'),
    });
    expect(action.isDone(weighed, 'tikv-2').verdict).toBe('no');
  });

  it('is left alone where PD gives leaders, or does not tell', () => {
    expect(action.precondition(weighed, 'tikv-1').verdict).toBe('no');
    expect(action.isDone(weighed, 'tikv-1').verdict).toBe('yes');
    expect(action.precondition(untold, 'tikv-2').verdict).toBe('unknown');
  });
});

describe('every action', () => {
  it('is pre-approved in the lab, and in the scope of the agent that is on call', async () => {
    const { policy } = await loadPolicy('policies/lab.yaml');
    const agent = await loadAgent('agents/on-call-triage.md');
    const names = ACTIONS.map(({ name }) => name).sort();
    expect(policy.preApproved.map(({ action }) => action).sort()).toEqual(names);
    expect([...agent.actions].sort()).toEqual(names);
  });

  it('cures causes of the closed list only', () => {
    const classes = CAUSES.map((cause) => cause.class);
    for (const action of ACTIONS) expect(classes).toEqual(expect.arrayContaining([...action.cures]));
  });
});
