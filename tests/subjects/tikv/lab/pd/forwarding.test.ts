import { describe, expect, it } from '@jest/globals';
import { json, jsonV2 } from '../../../../../subjects/tikv/lab/pd/answers/answer.js';
import { plan, type Request } from '../../../../../subjects/tikv/lab/pd/forwarding.js';
import { membersOf } from '../../../../../subjects/tikv/lab/pd/members.js';
import { Pauses } from '../../../../../subjects/tikv/lab/pd/pauses.js';
import { RegionCache } from '../../../../../subjects/tikv/lab/pd/regions.js';
import { NO_SCHEDULE } from '../../../../../subjects/tikv/lab/pd/schedule/schedule-view.js';
import { EMPTY_STATE } from '../../../../../subjects/tikv/lab/pd/state.js';
import { StoreHeartbeats } from '../../../../../subjects/tikv/lab/pd/stores.js';
import type { PdView } from '../../../../../subjects/tikv/lab/pd/view.js';
import { PROFILES } from '../../../../../subjects/tikv/profiles.js';

const [self, other] = membersOf([
  { name: 'pd-0', peerUrl: 'http://127.0.0.1:1', clientUrl: 'http://127.0.0.1:2' },
  { name: 'pd-1', peerUrl: 'http://127.0.0.1:3', clientUrl: 'http://127.0.0.1:4' },
]) as [PdView['self'], PdView['self']];

const follower: PdView = {
  nowNs: 0n,
  times: PROFILES.real.cluster,
  self,
  members: [self, other],
  raft: { isLeader: false, leader: null, term: 1, commitIndex: 1, appliedIndex: 1, leaderChanges: 1 },
  leader: other,
  isLeader: false,
  state: EMPTY_STATE,
  knownClusterVersion: '0.0.0',
  heartbeats: new StoreHeartbeats(),
  regions: new RegionCache(),
  pauses: new Pauses(),
  schedule: NO_SCHEDULE,
  tsoMs: 0,
  regionHeartbeats: new Map(),
  process: { startedAt: 0, cpuSeconds: 0, residentBytes: 0, dataDir: '' },
  reachable: new Set(),
};
const leaderless: PdView = { ...follower, leader: null };

function get(path: string, headers: Request['headers'] = {}): Request {
  return { method: 'GET', path, query: new URLSearchParams(), headers };
}

describe('a member that is not the leader', () => {
  it.each(['/pd/api/v1/members', '/pd/api/v1/stores', '/pd/api/v1/nosuch', '/pd/health', '/pd/ping'])(
    'forwards %s to the leader that it names',
    (path) => expect(plan(follower, 'started', get(path))).toEqual({ kind: 'forward', to: other }),
  );

  it.each([
    '/pd/api/v1/status',
    '/pd/api/v1/health',
    '/pd/api/v1/ping',
    '/pd/api/v2/ready',
    '/metrics',
    '/health',
    '/nosuch',
  ])('answers %s by itself', (path) => expect(plan(leaderless, 'started', get(path)).kind).toBe('serve'));

  it('waits for a leader if it knows none, but says so at once in v2', () => {
    expect(plan(leaderless, 'started', get('/pd/api/v1/stores'))).toEqual({ kind: 'wait-for-leader' });
    expect(plan(leaderless, 'started', get('/pd/api/v2/keyspaces'))).toEqual({
      kind: 'answer',
      answer: jsonV2('[PD:server:ErrLeaderNil]leader is nil', 503),
    });
  });

  it('refuses to forward twice', () => {
    const planned = plan(follower, 'started', get('/pd/api/v1/stores', { 'pd-redirector': 'pd-9' }));
    expect(planned).toMatchObject({
      kind: 'answer',
      answer: { status: 500, body: '[PD:apiutil:ErrRedirectToNotLeader]redirect to not leader\n' },
    });
  });

  it('serves what the caller allows it to serve', () => {
    expect(plan(follower, 'started', get('/pd/api/v1/leader', { 'pd-allow-follower-handle': 'true' })).kind).toBe(
      'serve',
    );
  });

  it('needs the leader for its config', () => {
    expect(plan(follower, 'started', get('/pd/api/v1/config'))).toEqual({ kind: 'ask-config', from: other });
    expect(plan(leaderless, 'started', get('/pd/api/v1/config'))).toEqual({
      kind: 'answer',
      answer: json('[PD:server:ErrLeaderNil]leader is nil', 500),
    });
  });

  it('is not started before it has the state of the group, except for what it knows by itself', () => {
    expect(plan(follower, 'starting', get('/pd/api/v1/leader'))).toMatchObject({
      answer: { status: 500, body: '[PD:server:ErrServerNotStarted]server not started\n' },
    });
    expect(plan(follower, 'starting', get('/pd/api/v1/health')).kind).toBe('serve');
  });
});
