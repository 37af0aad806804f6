import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gap } from '../../../../src/domain/reading.js';
import type { SubjectEyes } from '../../../../subjects/protocol.js';
import { createTikvEyes } from '../../../../subjects/tikv/observe/eyes.js';
import { storeNamed } from '../../../../subjects/tikv/picture/look-up.js';
import type { TikvPicture } from '../../../../subjects/tikv/picture.js';
import { PROFILES } from '../../../../subjects/tikv/profiles.js';
import { MEMBER_ID, node, pdStore, startToyCluster, type ToyCluster } from './toy-cluster.js';

const NOW = new Date('2026-11-30T12:10:00.000Z');
const PROFILE = { ...PROFILES.fast, watch: { ...PROFILES.fast.watch, requestMs: 3_000, sampleMs: 3_000 } };

let cluster: ToyCluster;
let eyes: SubjectEyes<TikvPicture>;
let commands: string[];
let now: number;

beforeEach(async () => {
  cluster = await startToyCluster(NOW);
  commands = [];
  now = NOW.getTime();
  eyes = createTikvEyes({
    inventory: cluster.inventory,
    profile: PROFILE,
    runOnHost: async (command) => {
      commands.push(command);
      return cluster.host;
    },
    probe: { reading: () => gap('no probe here', { at: NOW.toISOString(), source: 'test' }) },
    clock: () => now,
  });
});

afterEach(() => cluster.close());

describe('a picture of TiKV', () => {
  it('holds each fact with its time and its source', async () => {
    const { at, profile, vitals, placement } = await eyes.observe('vitals');
    expect({ at, profile }).toEqual({ at: NOW.toISOString(), profile: 'fast' });
    expect(vitals.leadership).toEqual({
      known: true,
      value: {
        leader: 'pd-1',
        etcdLeader: 'pd-1',
        members: ['pd-0', 'pd-1', 'pd-2'],
        seenSince: NOW.toISOString(),
        seenBy: 'first-look',
      },
      observedAt: NOW.toISOString(),
      source: expect.stringMatching(/^pd-\d GET \/pd\/api\/v1\/members$/),
    });
    expect(vitals.regions).toMatchObject({
      total: { value: 24 },
      withLeader: { value: 24 },
      pendingPeer: { value: 0 },
    });
    expect(vitals.pd[2]).toMatchObject({
      name: 'pd-2',
      reach: { value: { kind: 'answers', status: 200 } },
      quorum: { value: { healthy: true, reason: '' }, source: 'pd-2 GET /health' },
      witness: { value: { state: 'running' }, source: 'lab labctl ps --json' },
    });
    expect(placement).toMatchObject({ known: false, reason: 'not asked for' });
    expect(commands).toEqual(['labctl ps --json']);
  });

  it("knows PD's stores by the names of the inventory, whatever their ids and order", async () => {
    const store = storeNamed(await eyes.observe('vitals'), 'tikv-2');
    expect(store).toMatchObject({
      pd: { value: { id: '14', state: 'Up', lastHeartbeat: '2026-11-30T12:09:59.000Z', leaders: 6, slowScore: 1 } },
      reach: { value: { kind: 'answers' }, source: 'tikv-2 GET /status' },
      witness: { value: { state: 'running', stoppedByRequest: false } },
    });
  });

  it('knows what PD is told to do, and a switch that PD leaves out is off', async () => {
    const { scheduling } = (await eyes.observe('vitals')).vitals;
    expect(scheduling).toMatchObject({
      schedulers: { value: ['balance-leader-scheduler', 'evict-leader-scheduler'] },
      paused: { value: ['balance-leader-scheduler'] },
      limits: {
        value: {
          leaders: 0,
          halted: false,
          regions: 2048,
          replicas: null,
          stores: { 14: { 'add-peer': 15, 'remove-peer': 0.1 } },
        },
      },
      held: { value: { 'evict-leader-scheduler': ['14'] } },
    });
  });

  it('has a gap where a PD does not know a question', async () => {
    cluster.pd.delete('/pd/api/v1/config/schedule');
    cluster.pd.set('/pd/api/v1/schedulers', { status: 200, body: '{}' });
    const { scheduling } = (await eyes.observe('vitals')).vitals;
    expect(scheduling).toMatchObject({
      schedulers: { known: false },
      paused: { known: true },
      limits: { known: false, reason: expect.stringContaining('404') },
    });
  });

  it('asks for orders to PD once per heartbeat, as only people change them', async () => {
    await eyes.observe('vitals');
    cluster.pd.set('/pd/api/v1/schedulers', { status: 200, body: '[]' });
    const { scheduling } = (await eyes.observe('vitals')).vitals;
    expect(scheduling.schedulers).toMatchObject({ observedAt: NOW.toISOString(), value: { length: 2 } });
    now += PROFILE.cluster.storeHeartbeatMs;
    expect((await eyes.observe('vitals')).vitals.scheduling.schedulers).toMatchObject({ value: [] });
  });

  it('sees a score rise only while it goes on watching', async () => {
    const changes: object = { network_slow_score: { 14: 99 } };
    const slow = [0, 1, 2, 3].map((index) => pdStore(index, NOW, changes)).join();
    expect((await eyes.observe('vitals')).vitals.trends.rises.known).toBe(false);
    cluster.pd.set('/pd/api/v1/stores', { status: 200, body: `{"stores":[${slow}]}` });
    const { rises } = (await eyes.observe('vitals')).vitals.trends;
    expect(rises).toMatchObject({ known: true });
    expect(rises.known && rises.value).toContainEqual({
      kind: 'network',
      reporter: 'tikv-0',
      about: 'tikv-2',
      from: 1,
      to: 99,
      since: NOW.toISOString(),
      fellAt: null,
    });
  });

  it('keeps a store apart that only PD knows', async () => {
    const stranger = pdStore(2, NOW).replace('"id":14', '"id":99').replace('20162', '30000');
    cluster.pd.set('/pd/api/v1/stores', { status: 200, body: `{"stores":[${stranger}]}` });
    const { vitals } = await eyes.observe('vitals');
    expect(vitals.stores.map(({ name }) => name)).toEqual(['tikv-0', 'tikv-1', 'tikv-2', 'tikv-3', 'store-99']);
    expect(vitals.stores[0]!.pd).toMatchObject({ known: true, value: null });
    expect(vitals.stores[4]).toMatchObject({ reach: { known: false }, witness: { known: false } });
  });

  it('shows a killed store through our client and the host while PD still calls it Up', async () => {
    await cluster.servers['tikv-2']!.close();
    const dead = node('tikv-2', { state: 'exited', exitCode: 137, signal: 'SIGKILL', pid: null });
    cluster.host = { ...cluster.host, stdout: JSON.stringify([dead]) };
    expect(storeNamed(await eyes.observe('vitals'), 'tikv-2')).toMatchObject({
      pd: { value: { state: 'Up' } },
      reach: { value: { kind: 'refused' } },
      witness: { value: { state: 'exited', exitCode: 137, signal: 'SIGKILL' } },
    });
  });

  it('has gaps, not emptiness, where PD gives no answer', async () => {
    for (const path of cluster.pd.keys()) if (path !== '/pd/api/v1/status') cluster.pd.set(path, NO_LEADER);
    const { vitals, placement } = await eyes.observe('placement');
    expect(vitals.leadership).toMatchObject({ known: false, reason: expect.stringContaining('pd-0: 503 ') });
    expect(vitals.regions.pendingPeer.known).toBe(false);
    expect(vitals.stores.map(({ pd }) => pd.known)).toEqual([false, false, false, false]);
    expect(vitals.pd[0]).toMatchObject({ quorum: { known: false }, reach: { value: { kind: 'answers' } } });
    expect(placement.known).toBe(false);
  });

  it('has a gap where an answer is of an unknown shape', async () => {
    cluster.pd.set('/pd/api/v1/stores', { status: 200, body: '{"stores":[{"store":{"id":1}}]}' });
    const { vitals } = await eyes.observe('vitals');
    expect(vitals.stores[0]!.pd).toMatchObject({
      known: false,
      reason: expect.stringMatching(/^pd-\d: unexpected answer at stores\.0\.store\.address/),
    });
  });

  it('has a gap for the witness when the host does not answer', async () => {
    cluster.host = { exitCode: null, stdout: '', stderr: '', failure: 'no answer within 1000 ms' };
    const { vitals } = await eyes.observe('vitals');
    expect(vitals.stores[0]!.witness).toMatchObject({ known: false, reason: 'no answer within 1000 ms' });
  });

  it('tells who holds which region when it is asked for', async () => {
    const { placement } = await eyes.observe('placement');
    expect(placement).toMatchObject({
      value: {
        regions: [
          {
            id: '14',
            voters: ['tikv-0', 'tikv-2', 'tikv-3'],
            learners: ['tikv-1'],
            leader: 'tikv-0',
            pending: ['tikv-2'],
            down: ['tikv-3'],
          },
        ],
      },
    });
  });

  it('remembers when the leader of PD changed', async () => {
    await eyes.observe('vitals');
    const members = cluster.pd.get('/pd/api/v1/members')!;
    cluster.pd.set('/pd/api/v1/members', {
      ...members,
      body: members.body.replaceAll('leader":{"name":"pd-1"', 'leader":{"name":"pd-2"'),
    });
    expect((await eyes.observe('vitals')).vitals.leadership).toMatchObject({
      value: { leader: 'pd-2', seenBy: 'change' },
    });
  });
});

const NO_LEADER = { status: 503, body: '[PD:apiutil:ErrRedirectNoLeader]redirect finds no leader\n' };

describe('the calls of looks and steps', () => {
  it('reach the named member, the named store, or any PD, with the bytes as they came', async () => {
    const members = await eyes.http({ kind: 'http', api: 'pd', method: 'GET', path: '/pd/api/v1/members' });
    expect(members).toMatchObject({ status: 200, body: expect.stringContaining(MEMBER_ID) });
    const health = await eyes.http({ kind: 'http', api: 'pd', node: 'pd-2', method: 'GET', path: '/health' });
    expect(health).toMatchObject({ status: 200, node: 'pd-2' });
    const status = await eyes.http({
      kind: 'http',
      api: 'tikv-status',
      node: 'tikv-1',
      method: 'GET',
      path: '/status',
    });
    expect(status).toEqual({ status: 200, body: '', node: 'tikv-1' });
  });

  it('say what happened instead of an answer', async () => {
    await cluster.servers['tikv-1']!.close();
    const status = await eyes.http({
      kind: 'http',
      api: 'tikv-status',
      node: 'tikv-1',
      method: 'GET',
      path: '/status',
    });
    expect(status).toEqual({ status: null, body: '', failure: 'connection refused', node: 'tikv-1', sent: false });
  });

  it('go to no address outside the inventory', async () => {
    const call = { kind: 'http', method: 'GET', path: '/' } as const;
    expect(await eyes.http({ ...call, api: 'tikv-status', node: '127.0.0.1:1' })).toMatchObject({
      status: null,
      failure: '127.0.0.1:1 is no store of the inventory',
    });
    expect(await eyes.http({ ...call, api: 'grafana' })).toMatchObject({
      failure: 'there is no API grafana; tikv has pd and tikv-status',
    });
  });
});
