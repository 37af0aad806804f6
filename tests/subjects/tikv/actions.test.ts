import { describe, expect, it } from '@jest/globals';
import { loadAgent } from '../../../src/config/agent.js';
import { loadPolicy } from '../../../src/config/policy.js';
import { ACTIONS } from '../../../subjects/tikv/actions.js';
import { CAUSES } from '../../../subjects/tikv/causes.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { died, healthy, justKilled, nothing, pdUnreadable, withPd, withStore, witness } from './pictures.js';

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
