import { describe, expect, it } from '@jest/globals';
import { upstreamOf } from '../../activities/capacity.js';
import type { Room } from '../../activities/room.js';
import type { Step } from '../../src/domain/proposal.js';
import type { Call } from '../../src/domain/query.js';
import { UPSTREAM } from '../../subjects/tikv/causes.js';
import type { TikvPicture } from '../../subjects/tikv/picture.js';
import { TIKV } from '../../subjects/tikv/subject.js';
import { AT, healthy, justKilled } from '../subjects/tikv/pictures.js';
import { NO_SELF } from '../support/no-self.js';
import { lampRoom } from './toy-room.js';

const ROOM: Room = {
  ...(lampRoom({ on: true, serial: 's' }, '/bin') as unknown as Room),
  subject: TIKV as Room['subject'],
};
const step = (call: Call, target = 'tikv-2', action: string | null = null): Step => ({
  describe: 'x',
  action,
  target,
  call,
  inverse: { kind: 'none', why: '' },
  timeoutMs: 1,
});
const shell = (command: string): Call => ({ kind: 'shell', host: 'lab', command });
const pd = (method: 'POST' | 'DELETE', path: string): Call => ({
  kind: 'http',
  api: 'pd',
  method,
  path: `/pd/api/v1${path}`,
});

function upstream(picture: TikvPicture, ...steps: readonly Step[]): readonly string[] {
  const rules = { ...TIKV, self: NO_SELF, endpoints: {} };
  return upstreamOf({ room: ROOM, rules, facts: { picture, at: AT }, steps });
}

describe('what needs its upstream causes refuted first', () => {
  it.each<[string, Step]>([
    ['stopping a healthy store', step(shell('labctl stop tikv-1'), 'tikv-1')],
    ['stopping a healthy store, whatever target is named for it', step(shell('labctl stop tikv-1'), 'tikv-2')],
    ['a command that no row knows on a healthy store', step(shell('systemctl restart tikv'), 'tikv-1')],
    ['moving the PD leader', step(pd('POST', '/leader/transfer/pd-2'), 'pd')],
    ['evicting leaders', step(pd('POST', '/schedulers'), 'tikv-2')],
    ['moving replicas by operators', step(pd('POST', '/operators'), 'cluster')],
    ['removing a store', step(pd('DELETE', '/store/3'), 'tikv-2')],
  ])('is %s', (_, one) => {
    expect(upstream(justKilled(), one)).toEqual(UPSTREAM);
  });

  it.each<[string, Step]>([
    ['starting what is dead', step(shell('labctl start tikv-2'), 'tikv-2', 'start-store')],
    ['stopping what is broken anyway', step(shell('labctl stop tikv-2'))],
    ['a read', step(shell('labctl ps'), 'tikv-1')],
    ['cancelling operators', step(pd('DELETE', '/operators'), 'cluster')],
    ['cancelling the removal of a store', step(pd('POST', '/store/3/state?state=Up'))],
  ])('is not %s', (_, one) => {
    expect(upstream(justKilled(), one)).toEqual([]);
  });

  it('is a plan with one such step among others', () => {
    const start = step(shell('labctl start tikv-2'), 'tikv-2', 'start-store');
    expect(upstream(justKilled(), start, step(pd('POST', '/schedulers')))).toEqual(UPSTREAM);
    expect(upstream(healthy(), step(shell('labctl stop tikv-2 && labctl start tikv-2')))).toEqual(UPSTREAM);
  });

  it('is nothing for a subject that names no upstream causes', () => {
    const room = lampRoom({ on: true, serial: 's' }, '/bin') as unknown as Room;
    const rules = { ...room.subject, self: NO_SELF, endpoints: {} };
    const facts = { picture: { on: true, serial: 's' }, at: AT };
    expect(upstreamOf({ room, rules, facts, steps: [step(shell('smash lamp'), 'lamp')] })).toEqual([]);
  });
});
