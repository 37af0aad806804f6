import { describe, expect, it } from '@jest/globals';
import { ACTIONS } from '../../../subjects/tikv/actions.js';
import { CAUSES } from '../../../subjects/tikv/causes.js';
import type { TikvPicture } from '../../../subjects/tikv/picture.js';
import { died, healthy, justKilled, nothing, pdUnreadable, withStore, witness } from './pictures.js';

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
    expect(startStore.call('tikv-2')).toEqual({ kind: 'shell', host: 'lab', command: 'labctl start tikv-2' });
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

  it('cures causes of the closed list only', () => {
    const classes = CAUSES.map((cause) => cause.class);
    for (const action of ACTIONS) expect(classes).toEqual(expect.arrayContaining([...action.cures]));
  });
});
