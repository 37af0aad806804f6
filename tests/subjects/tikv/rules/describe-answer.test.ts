import { describe, expect, it } from '@jest/globals';
import type { Call } from '../../../../src/domain/query.js';
import { TIKV } from '../../../../subjects/tikv/subject.js';

const shell = (command: string): Call => ({ kind: 'shell', host: 'lab', command });
const pd = (path: string): Call => ({ kind: 'http', api: 'pd', method: 'GET', path });
const said = (call: Call, body: unknown) =>
  TIKV.describeAnswer?.(call, typeof body === 'string' ? body : JSON.stringify(body, null, 2));

const DEAD = {
  name: 'tikv-2',
  state: 'exited',
  stoppedByRequest: false,
  startedAt: '2026-01-02T03:04:05.000Z',
  exitCode: 137,
  pid: null,
};
const ALIVE = { ...DEAD, name: 'pd-0', state: 'running', exitCode: null, pid: 4711 };
const STORE = {
  store: { id: 4, state_name: 'Disconnected' },
  status: { leader_count: 2, region_count: 18, last_heartbeat_ts: '2026-01-02T03:04:13.457156Z' },
};

describe('what TiKV says of an answer in one line', () => {
  it.each<[string, Call, unknown, string]>([
    ['a dead node', shell('labctl inspect tikv-2'), DEAD, 'tikv-2 exited 137, died'],
    [
      'a node that somebody stopped',
      shell('labctl inspect tikv-2'),
      { ...DEAD, exitCode: 0, stoppedByRequest: true },
      'tikv-2 exited 0, stopped by request',
    ],
    ['a frozen node', shell('labctl inspect pd-0'), { ...ALIVE, state: 'paused' }, 'pd-0 paused (pid 4711)'],
    ['all nodes', shell('labctl ps --json'), [ALIVE, DEAD], '2 nodes, 1 running; tikv-2 exited 137, died'],
    ['all nodes in order', shell('labctl ps --json'), [ALIVE], '1 node, 1 running'],
    [
      'a log',
      shell('labctl logs tikv-2 --tail 20'),
      'x\n[2026/01/02 03:04:05.777 +00:00] [INFO] [raft.rs] ["became leader at term 1"] [region_id=42]\n',
      '2 lines, the last at 03:04:05: "became leader at term 1"',
    ],
    ['a log of another form', shell('labctl logs tikv-2'), 'panicked\n', '1 line, the last: panicked'],
    ['an empty log', shell('labctl logs tikv-2'), '\n', 'no line'],
    [
      'a store, whose zeros PD leaves out',
      pd('/pd/api/v1/store/4'),
      STORE,
      'store 4 Disconnected, last heartbeat 03:04:13, 2 leaders, 18 regions, 0 pending peers',
    ],
    [
      'a store that never reported',
      pd('/pd/api/v1/store/4'),
      { ...STORE, status: {} },
      'store 4 Disconnected, no heartbeat ever, 0 leaders, 0 regions, 0 pending peers',
    ],
    [
      'all stores',
      pd('/pd/api/v1/stores'),
      { stores: [STORE, { store: { state_name: 'Up' } }, { store: { state_name: 'Up' } }] },
      '3 stores: 1 Disconnected, 2 Up',
    ],
    [
      'the members',
      pd('/pd/api/v1/members'),
      { members: [{ name: 'pd-1' }, { name: 'pd-0' }], leader: { name: 'pd-1' } },
      'pd-1 leads pd-0, pd-1',
    ],
    ['a group without a leader', pd('/pd/api/v1/members'), { members: [{ name: 'pd-0' }] }, 'nobody leads pd-0'],
    [
      'a status port',
      { kind: 'http', api: 'tikv-status', node: 'tikv-2', method: 'GET', path: '/status' },
      '',
      'answers',
    ],
  ])('words %s', (_what, call, body, line) => {
    expect(said(call, body)).toBe(line);
  });

  it.each<[string, Call, unknown]>([
    ['of an unknown form', shell('labctl inspect tikv-2'), { name: 'tikv-2' }],
    ['that is no JSON', shell('labctl ps --json'), 'no'],
    ['of another program', shell('uptime'), '1'],
    ['of a labctl verb that changes things', shell('labctl start tikv-2'), 'tikv-2 started'],
    ['of a route that it does not know', pd('/pd/api/v1/config'), {}],
    ['without stores', pd('/pd/api/v1/stores'), {}],
    ['without a store', pd('/pd/api/v1/store/4'), []],
    ['of a POST', { kind: 'http', api: 'pd', method: 'POST', path: '/pd/api/v1/members' }, { members: [] }],
  ])('leaves an answer %s to speak for itself', (_what, call, body) => {
    expect(said(call, body)).toBeNull();
  });
});
