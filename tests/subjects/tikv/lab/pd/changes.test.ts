import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../../../../../subjects/tikv/lab/pd/answers/answer.js';
import { storeChecks } from '../../../../../subjects/tikv/lab/pd/changes/store-state.js';
import { ProposalLost } from '../../../../../subjects/tikv/lab/pd/group.js';
import { Pauses } from '../../../../../subjects/tikv/lab/pd/pauses.js';
import { RegionCache } from '../../../../../subjects/tikv/lab/pd/regions.js';
import { isChange } from '../../../../../subjects/tikv/lab/pd/route.js';
import { apply, type Command, type PdState } from '../../../../../subjects/tikv/lab/pd/state.js';
import { preferredLeader } from '../../../../../subjects/tikv/lab/pd/transfer.js';
import { Turns } from '../../../../../subjects/tikv/lab/pd/turns.js';
import type { PdView } from '../../../../../subjects/tikv/lab/pd/view.js';
import { clusterState, decide, leaderView } from './leader-view.js';
import { report } from './samples.js';

/** A leader of four stores that carries changes out, after `waitFor` of each command. */
class Leader {
  readonly pauses = new Pauses();
  readonly view: PdView;
  #state: PdState = clusterState(4);
  readonly #turns = new Turns({
    propose: (command) => this.#propose(command),
    pause: (order) => this.pauses.take(order, this.view.nowNs),
    forgetRegion: () => undefined,
    operate: () => Promise.resolve('done'),
  });

  constructor(readonly waitFor: (command: Command) => Promise<void> = () => Promise.resolve()) {
    this.view = Object.defineProperty(leaderView({ pauses: this.pauses }), 'state', {
      get: () => this.#state,
    }) as PdView;
  }

  get state(): PdState {
    return this.#state;
  }

  async ask(request: string, body?: unknown): Promise<[number, unknown]> {
    const answer = await this.#turns.inTurn(() => decide(this.view, request, body));
    return [answer.status, JSON.parse(answer.body) as unknown];
  }

  /** PD's round over the stores. */
  async round(): Promise<void> {
    for (const command of storeChecks(this.view)) await this.#propose(command);
  }

  async #propose(command: Command): Promise<'done' | 'conflict'> {
    await this.waitFor(command);
    const { state, applied } = apply(this.#state, command);
    this.#state = state;
    return applied;
  }
}

describe('changes through the HTTP of a leader', () => {
  it('go one after another, so two removals at once leave three stores', async () => {
    const leader = new Leader(() => new Promise((resolve) => setImmediate(resolve)));
    const answers = await Promise.all([leader.ask('DELETE /store/3'), leader.ask('DELETE /store/4')]);
    expect(answers).toEqual([
      [200, 'The store is set as Offline.'],
      [400, '[PD:core:ErrStoresNotEnough]can not remove store 4 since the number of up stores would be 2 while need 3'],
    ]);
    expect(Object.values(leader.state.stores).map(({ state }) => state)).toEqual(['Up', 'Up', 'Offline', 'Up']);
  });

  it.each([
    ['POST /store/1/weight', { leader: 2, region: 1 }, 500],
    ['POST /schedulers', { name: 'evict-leader-scheduler', store_id: 1 }, 500],
    ['POST /config', { 'schedule.leader-schedule-limit': 6 }, 400],
  ])(
    'answer %s with etcd’s complaint when no majority takes them, and leave nothing behind',
    async (request, body, status) => {
      const leader = new Leader(() => Promise.reject(new ProposalLost('no majority in time')));
      const before = leader.state;
      expect(await leader.ask(request, body)).toEqual([
        status,
        '[PD:etcd:ErrEtcdKVPut]context deadline exceeded: context deadline exceeded',
      ]);
      expect(leader.state).toBe(before);
    },
  );

  it('still go on after one was lost', async () => {
    let lost = false;
    const leader = new Leader(() => {
      if (lost) return Promise.resolve();
      lost = true;
      return Promise.reject(new ProposalLost('no majority in time'));
    });
    await leader.ask('DELETE /store/3');
    expect(await leader.ask('DELETE /store/4')).toEqual([200, 'The store is set as Offline.']);
  });

  it('need no majority for a pause, which is in the leader’s memory only', async () => {
    const leader = new Leader(() => Promise.reject(new ProposalLost('no majority in time')));
    expect(await leader.ask('POST /schedulers/balance-leader-scheduler', { delay: 30 })).toEqual([
      200,
      'Pause or resume the scheduler successfully.',
    ]);
    expect(bodyOf(decide(leader.view, 'GET /schedulers?status=paused'))).toEqual(['balance-leader-scheduler']);
    const next = leaderView({ state: leader.state });
    expect(bodyOf(decide(next, 'GET /schedulers?status=paused'))).toEqual([]);
    expect(bodyOf(decide(next, 'GET /schedulers'))).toContain('balance-leader-scheduler');
  });
});

describe('a store that is sent away', () => {
  it('is emptied without a limit, and has its old one back when it is taken back', async () => {
    const leader = new Leader();
    await leader.ask('POST /store/4/limit', { type: 'add-peer', rate: 30 });
    await leader.ask('DELETE /store/4');
    expect(leader.state.limits[4]).toEqual({ 'add-peer': 30, 'remove-peer': 100_000_000 });
    await leader.ask('POST /store/4/state?state=Up');
    expect(leader.state.limits[4]).toEqual({ 'add-peer': 30, 'remove-peer': 15 });
    expect(leader.state.stores[4]).toMatchObject({ state: 'Up', nodeState: 'Serving' });
  });

  it('is buried once no region has a peer on it, and not before', async () => {
    const leader = new Leader();
    for (const id of [4, 3]) await leader.ask(`DELETE /store/${id}?force`);
    expect(storeChecks(leader.view)).toEqual([
      { kind: 'change-store', storeId: 4, change: { state: 'Tombstone', nodeState: 'Removed' } },
    ]);
    expect(storeChecks({ ...leader.view, state: leader.state, regions: new RegionCache() })).toHaveLength(2);
  });

  it('is forgotten with its limit and weight once it is Tombstone, and not before', async () => {
    const leader = new Leader();
    await leader.ask('POST /store/4/weight', { leader: 0, region: 1 });
    await leader.ask('DELETE /store/4');
    await leader.ask('DELETE /stores/remove-tombstone');
    expect(leader.state.stores[4]?.state).toBe('Offline');
    await leader.round();
    expect(leader.state.stores[4]?.state).toBe('Tombstone');
    await leader.ask('DELETE /stores/remove-tombstone');
    expect([leader.state.stores[4], leader.state.limits[4], leader.state.weights[4]]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('stays destroyed when it registers again', async () => {
    const leader = new Leader();
    await leader.ask('DELETE /store/4?force');
    const again = { ...leader.state.stores[4]!, state: 'Up' as const, physicallyDestroyed: undefined };
    const { physicallyDestroyed: _gone, ...store } = again;
    const { state } = apply(leader.state, { kind: 'put-store', store });
    expect(state.stores[4]).toMatchObject({ state: 'Offline', physicallyDestroyed: true });
  });
});

describe('settings of a store', () => {
  it('divide its counts by its weights, 0 counting as a millionth', async () => {
    const leader = new Leader();
    await leader.ask('POST /store/1/weight', { leader: 0.5, region: 2 });
    const status = () => (bodyOf(decide(leader.view, 'GET /store/1')) as { status: object }).status;
    expect(status()).toMatchObject({ leader_count: 1, leader_weight: 0.5, leader_score: 2, region_score: 5 });
    await leader.ask('POST /store/1/weight', { leader: 0, region: 1 });
    expect(status()).toMatchObject({ leader_weight: 0, leader_score: 1e6 });
  });

  it('replace its labels only with force', async () => {
    const leader = new Leader();
    await leader.ask('POST /store/1/label', { zone: 'z1', host: 'h1' });
    await leader.ask('POST /store/1/label', { zone: 'z2' });
    expect(leader.state.stores[1]?.labels).toEqual([
      { key: 'host', value: 'h1' },
      { key: 'zone', value: 'z2' },
    ]);
    await leader.ask('POST /store/1/label?force', { disk: 'ssd' });
    expect(leader.state.stores[1]?.labels).toEqual([{ key: 'disk', value: 'ssd' }]);
  });
});

describe('settings of the cluster', () => {
  it('are kept up to the first bad one of a request', async () => {
    const leader = new Leader();
    const body = {
      'schedule.leader-schedule-limit': 8,
      'schedule.no-such-item': 1,
      'schedule.region-schedule-limit': 9,
    };
    expect(await leader.ask('POST /config', body)).toEqual([400, 'config item no-such-item not found']);
    expect(leader.state.settings).toEqual({ 'schedule.leader-schedule-limit': 8 });
  });

  it('change when a silent store is Down', async () => {
    const leader = new Leader();
    const stateName = () =>
      (bodyOf(decide(leader.view, 'GET /store/1')) as { store: { state_name: string } }).store.state_name;
    const silent = { ...leader.view, nowNs: 400_000_000_000n };
    expect((bodyOf(decide(silent, 'GET /store/1')) as { store: object }).store).toMatchObject({
      state_name: 'Disconnected',
    });
    await leader.ask('POST /config', { 'schedule.max-store-down-time': '3s' });
    expect(stateName()).toBe('Down');
  });

  it('that hold for a while end by themselves and do not show', async () => {
    const leader = new Leader();
    await leader.ask('POST /config?ttlSecond=5', { 'schedule.leader-schedule-limit': 0 });
    expect(bodyOf(decide(leader.view, 'GET /config/schedule'))).toMatchObject({ 'leader-schedule-limit': 4 });
    const answerAt = (nowNs: bigint) => {
      const outcome = decide({ ...leader.view, state: leader.state, nowNs }, 'POST /config', {
        'leader-schedule-limit': 6,
      });
      return bodyOf(isChange(outcome) ? outcome.answer : outcome);
    };
    expect(answerAt(9_900_000_000n)).toBe('need to clean up TTL first for schedule.leader-schedule-limit');
    expect(answerAt(10_100_000_000n)).toBe('The config is updated.');
  });

  it('say with the size of a merge its keys, too', async () => {
    const leader = new Leader();
    await leader.ask('POST /config', { 'schedule.max-merge-region-size': 9 });
    expect(bodyOf(decide(leader.view, 'GET /config/schedule'))).toMatchObject({ 'max-merge-region-keys': 90_000 });
    expect(bodyOf(decide(leader.view, 'GET /regions/check/undersized-region'))).toMatchObject({ count: 0 });
    await leader.ask('POST /config', { 'schedule.max-merge-region-size': 10 });
    expect(bodyOf(decide(leader.view, 'GET /regions/check/undersized-region'))).toMatchObject({ count: 1 });
  });

  it('rewrite the default rule when they say how many replicas there should be', async () => {
    const leader = new Leader();
    await leader.ask('POST /config', { 'replication.max-replicas': 5 });
    await leader.ask('POST /config', { 'replication.max-replicas': 5 });
    expect(bodyOf(decide(leader.view, 'GET /config/rules'))).toEqual([
      expect.objectContaining({ count: 5, version: 1 }),
    ]);
    expect(bodyOf(decide(leader.view, 'GET /regions/check/miss-peer'))).toMatchObject({ count: 1 });
  });
});

describe('a scheduler', () => {
  it('that comes again does not rest as it did before', async () => {
    const leader = new Leader();
    await leader.ask('POST /schedulers/balance-region-scheduler', { delay: 600 });
    await leader.ask('DELETE /schedulers/balance-region-scheduler');
    await leader.ask('POST /schedulers', { name: 'balance-region-scheduler' });
    expect(bodyOf(decide(leader.view, 'GET /schedulers?status=paused'))).toEqual([]);
  });
});

describe('the configuration of a scheduler', () => {
  const EVICT = '/scheduler-config/evict-leader-scheduler';

  it('takes a store and a batch, and gives a store back', async () => {
    const leader = new Leader();
    await leader.ask('POST /schedulers', { name: 'evict-leader-scheduler', store_id: 1 });
    await leader.ask(`POST ${EVICT}/config`, { store_id: 2, batch: 5 });
    expect(bodyOf(decide(leader.view, `GET ${EVICT}/list`))).toMatchObject({
      'store-id-ranges': { 1: [{ 'start-key': '', 'end-key': '' }], 2: [{ 'start-key': '', 'end-key': '' }] },
      batch: 5,
    });
    expect(await leader.ask(`POST ${EVICT}/config`, { store_id: 2, batch: 11 })).toEqual([
      400,
      'batch is invalid, it should be in [1, 10]',
    ]);
    await leader.ask(`DELETE ${EVICT}/delete/1`);
    await leader.ask(`DELETE ${EVICT}/delete/2`);
    expect(bodyOf(decide(leader.view, 'GET /schedulers'))).not.toContain('evict-leader-scheduler');
  });

  it('is a 404 of a scheduler that does not run', () => {
    expect(decide(leaderView(), `POST ${EVICT}/config`, { store_id: 1 })).toMatchObject({ status: 404 });
  });

  it('says how many leaders balance-leader moves at a time', async () => {
    const leader = new Leader();
    const config = '/scheduler-config/balance-leader-scheduler';
    expect(await leader.ask(`POST ${config}/config`, { batch: 2 })).toEqual([200, 'Config is updated.']);
    expect(bodyOf(decide(leader.view, `GET ${config}/list`))).toMatchObject({ batch: 2 });
  });
});

describe('the leader priority', () => {
  const priorities = { 'pd-1': 5, 'pd-2': 7 };

  it.each([
    ['the highest that is there', 'pd-0', ['pd-1', 'pd-2'], 'pd-2'],
    ['the next one if that is away', 'pd-0', ['pd-1'], 'pd-1'],
    ['nobody if the leader has the highest', 'pd-2', ['pd-0', 'pd-1'], null],
    ['nobody if nobody is there', 'pd-0', [], null],
  ])('prefers %s', (_who, leader, others, preferred) =>
    expect(preferredLeader({ priorities, leader, others })).toBe(preferred),
  );

  it('below zero makes every other member preferred', () =>
    expect(preferredLeader({ priorities: { 'pd-0': -1 }, leader: 'pd-0', others: ['pd-1'] })).toBe('pd-1'));
});

describe('removing a member', () => {
  const after = () => leaderView({ state: apply(clusterState(4), { kind: 'remove-member', member: 'pd-1' }).state });

  it('takes its name or its id, and says which it was', () => {
    const { memberId } = leaderView().members.find(({ name }) => name === 'pd-1')!;
    for (const called of [`name/pd-1`, `id/${memberId}`]) {
      expect(decide(leaderView(), `DELETE /members/${called}`)).toMatchObject({
        commands: [{ kind: 'remove-member', member: 'pd-1' }],
        answer: { status: 200, body: `"removed, pd: ${called.split('/')[1]}"\n` },
        refusedAnswer: { status: 500 },
      });
    }
  });

  it('ends its priority and happens once', () => {
    const { state } = after();
    expect(state.removedMembers).toEqual(['pd-1']);
    expect(apply(state, { kind: 'remove-member', member: 'pd-1' }).applied).toBe('conflict');
  });
});

describe('operators that split, merge or scatter', () => {
  const regions = new RegionCache();
  regions.accept(report({ id: 2, range: ['', '10'], version: 1 }));
  regions.accept(report({ id: 6, range: ['10', '20'], version: 1 }));
  regions.accept(report({ id: 10, range: ['20', ''], version: 1 }));
  const lacking = report({ id: 14, range: ['15', '20'], version: 2 });
  const refused = (body: object, known = regions) => {
    const outcome = decide(leaderView({ regions: known }), 'POST /operators', body) as Answer;
    return [outcome.status, JSON.parse(outcome.body) as unknown];
  };
  const split = { name: 'split-region', region_id: 6, policy: 'approximate' };
  const merge = { name: 'merge-region', source_region_id: 2, target_region_id: 6 };

  it.each([
    [{ ...split, region_id: undefined }, [400, 'missing region id']],
    [{ ...split, policy: undefined, region_id: 99 }, [400, 'missing split policy']],
    [{ ...split, keys: [1] }, [400, 'bad format keys']],
    [{ ...split, region_id: 99 }, [500, '[PD:region:ErrRegionNotFound]region 99 not found']],
    [{ ...split, policy: 'half' }, [500, 'check policy half is not supported']],
    [{ ...split, policy: 'UseKey', keys: ['15', '1'] }, [500, 'split key 1 is not in hex format']],
    [{ ...merge, source_region_id: undefined }, [400, 'missing region id']],
    [{ ...merge, target_region_id: '6' }, [400, 'invalid target region id to merge to']],
    [{ ...merge, target_region_id: 99 }, [500, '[PD:region:ErrRegionNotFound]region 99 not found']],
    [{ ...merge, target_region_id: 10 }, [500, '[PD:region:ErrRegionNotAdjacent]two regions are not adjacent']],
    [{ name: 'scatter-region' }, [400, 'missing region id']],
    [{ name: 'scatter-regions', region_ids: 6 }, [400, 'region_ids is invalid']],
  ])('%j is refused as PD does', (body, answer) => {
    expect(refused(body)).toEqual(answer);
  });

  it('are refused for a region that lacks a peer or its data', () => {
    const known = new RegionCache();
    known.accept(report({ id: 2, range: ['', '15'], version: 1 }));
    known.accept({ ...lacking, pendingPeers: lacking.region.peers.slice(0, 1) });
    expect(refused({ ...merge, target_region_id: 14 }, known)).toEqual([
      500,
      '[PD:region:ErrRegionAbnormalPeer]region 14 has abnormal peer',
    ]);
  });

  it.each([
    [{ ...split, policy: 'USEKEY', keys: ['15'] }],
    [merge],
    [{ ...merge, source_region_id: 10 }],
    [{ name: 'scatter-regions', region_ids: [6] }],
  ])('%j, which PD would take, is refused with 501', (body) => {
    expect(refused(body)).toEqual([501, 'this stand-in of PD does not split, merge or scatter regions']);
  });
});

describe('what PD would do and this stand-in cannot', () => {
  it.each([
    ['POST /operators', { name: 'split-region', region_id: 2, policy: 'scan' }],
    ['POST /config/rule', { group_id: 'pd', id: 'x', role: 'learner', count: 1 }],
  ])('%s is refused with 501', (request, body) => {
    const outcome = decide(leaderView(), request, body);
    expect(isChange(outcome) ? 'a change' : outcome.status).toBe(501);
  });
});

function bodyOf(outcome: ReturnType<typeof decide>): unknown {
  return JSON.parse((outcome as Answer).body);
}
