import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../../../subjects/tikv/lab/store/clock.js';
import type { PeerMeta } from '../../../../../subjects/tikv/lab/store/layout.js';
import { createLog } from '../../../../../subjects/tikv/lab/store/log.js';
import { createStoreMetrics } from '../../../../../subjects/tikv/lab/store/metrics.js';
import { joinCluster, passIds } from '../../../../../subjects/tikv/lab/store/pd-join.js';
import { createPdLink, type PdLink } from '../../../../../subjects/tikv/lab/store/pd-link.js';
import type { PdOrder } from '../../../../../subjects/tikv/lab/store/pd-orders.js';
import { type PdSession, startPdSession } from '../../../../../subjects/tikv/lab/store/pd-session.js';
import type { RegionReport } from '../../../../../subjects/tikv/lab/store/region-reporter.js';
import { storeStats } from '../../../../../subjects/tikv/lab/store/store-stats.js';
import { until } from '../../../../support/until.js';
import { type MiniPd, newState, startMiniPd } from './mini-pd.js';

const times = { unaryMs: 2_000, keepAliveMs: 10_000, keepAliveTimeoutMs: 3_000, retryMs: 50, retryMaxMs: 150 };
const store = {
  address: '127.0.0.1:1',
  peer_address: '127.0.0.1:1',
  status_address: '127.0.0.1:2',
  version: '8.5.8',
  git_hash: '',
  start_timestamp: 1_796_044_105,
  deploy_path: '/deploy',
  labels: [{ key: 'host', value: 'tikv-0' }],
};
const voter = (id: number): PeerMeta => ({ id, storeId: 1, role: 'Voter' });
const report = (id: number): RegionReport => ({
  meta: { id, startKey: 't01', endKey: 't02', confVer: 3, version: 24, peers: [voter(id + 1)] },
  leaderPeer: voter(id + 1),
  term: 6,
  pending: [],
  down: [],
  approximateBytes: 0,
  approximateKeys: 0,
});

let first: MiniPd;
let second: MiniPd;
let link: PdLink;
let session: PdSession | undefined;
let wrongCluster: string[];
let logged: string[];
let orders: PdOrder[];

beforeEach(async () => {
  const shared = newState();
  [first, second] = [await startMiniPd({ shared }), await startMiniPd({ shared })];
  lead(first);
  session = undefined;
  wrongCluster = [];
  logged = [];
  orders = [];
  link = createPdLink({
    endpoints: [first.url, second.url],
    clusterId: null,
    times,
    log: createLog({ now: () => new Date(), write: () => undefined }),
    metrics: createStoreMetrics({ version: 'test' }),
    onLeader: () => void session?.onLeader(),
    onWrongCluster: (message) => wrongCluster.push(message),
  });
});

afterEach(async () => {
  session?.close();
  link.close();
  await Promise.all([first.close(), second.close()]);
});

function lead(leader: MiniPd | null): void {
  for (const pd of [first, second]) pd.lead(leader?.url ?? null);
}

function join() {
  const log = createLog({ now: () => new Date(), write: () => undefined });
  return joinCluster({ link, log, retryMs: 20, store, identity: null, saveIdentity: () => undefined });
}

async function start({ storeHeartbeatMs = 200 } = {}): Promise<void> {
  const { storeId } = await join();
  session = startPdSession({
    link,
    storeHeartbeatMs,
    regionHeartbeatMs: 60_000,
    firstHeartbeatMs: 0,
    stats: () =>
      storeStats({
        storeId,
        startedAt: new Date(),
        regionCount: 2,
        sendingSnapshots: 0,
        receivingSnapshots: 0,
        usedBytes: 0,
        isBusy: false,
        isStopping: false,
        slowScore: 1,
        networkSlowScores: {},
        intervalMs: storeHeartbeatMs,
        now: new Date(),
      }),
    ledRegions: () => [report(10), report(14)],
    onOrder: (order) => orders.push(order),
    clock: systemClock,
    log: createLog({ now: () => new Date(), write: (line) => logged.push(line) }),
    metrics: createStoreMetrics({ version: 'test' }),
  });
  void session.onLeader();
  await until('the first heartbeats', () => (first.heartbeats.length > 0 && first.regions.size === 2) || undefined, {
    seen: () => first.calls,
  });
}

describe('joining PD', () => {
  it('takes an id, bootstraps with ids of its own, and puts the store with its labels', async () => {
    expect(await join()).toEqual({ clusterId: '7300000000000000001', storeId: 1 });
    expect(first.calls).toEqual([
      'AllocID',
      'IsBootstrapped',
      'AllocID',
      'AllocID',
      'Bootstrap',
      'IsBootstrapped',
      'PutStore',
    ]);
    expect(first.stores.get(1)).toMatchObject({ address: '127.0.0.1:1', version: '8.5.8', labels: store.labels });
  });

  it('takes the ids that the seed layout chose by itself, so that PD gives them to nobody else', async () => {
    await join();
    await passIds({ link, retryMs: 20 }, 30);
    expect(Number((await link.call('AllocID', {})).id)).toBe(32);
    await passIds({ link, retryMs: 20 }, 30);
    expect(Number((await link.call('AllocID', {})).id)).toBe(34);
  });

  it('waits for a PD that has no leader yet', async () => {
    lead(null);
    const joined = join();
    await until('a few looks in vain', () => first.looks >= 3 || undefined);
    expect(first.calls).toEqual([]);
    lead(second);
    expect(await joined).toMatchObject({ storeId: 1 });
    expect(second.calls).toContain('PutStore');
  });

  it('stops at a PD of another cluster', async () => {
    link.close();
    link = createPdLink({
      endpoints: [first.url],
      clusterId: '42',
      times,
      log: createLog({ now: () => new Date(), write: () => undefined }),
      metrics: createStoreMetrics({ version: 'test' }),
      onLeader: () => undefined,
      onWrongCluster: (message) => wrongCluster.push(message),
    });
    await expect(join()).rejects.toThrow('mismatch cluster id');
    expect(wrongCluster).toHaveLength(1);
  });
});

describe('a session with PD', () => {
  it('repeats the store heartbeat on its interval, with 100 GiB free and a slow score of 1', async () => {
    await start();
    await until('a third heartbeat', () => first.heartbeats.length >= 3 || undefined);
    expect(first.heartbeats[0]!.stats).toMatchObject({
      capacity: String(100 * 1024 ** 3),
      available: String(100 * 1024 ** 3),
      slow_score: '1',
      network_slow_scores: {},
      is_busy: false,
    });
  });

  it('moves to a new PD leader when the old one resigned: store heartbeat first, then every led region', async () => {
    await start();
    lead(second);
    await until('both regions at the new leader', () => second.regions.size === 2 || undefined, {
      seen: () => second.calls,
    });
    const order = second.calls.filter((call) => call.includes('Heartbeat'));
    expect(order[0]).toBe('StoreHeartbeat 1');
    expect(order.filter((call) => call.startsWith('Region'))).toEqual(['RegionHeartbeat 1 10', 'RegionHeartbeat 1 14']);
  });

  it('moves to a new PD leader when the old one died', async () => {
    await start();
    second.lead(second.url);
    await first.close();
    await until('both regions at the new leader', () => second.regions.size === 2 || undefined, {
      seen: () => second.calls,
    });
    expect(second.calls.find((call) => call.includes('Heartbeat'))).toBe('StoreHeartbeat 1');
  });

  it('opens a new stream when PD ends the old one, although every other call is served', async () => {
    first.refuseStreams(true);
    const started = start();
    await until('several streams', () => second.looks >= 4 || undefined, { seen: () => first.calls });
    expect(first.regions.size).toBe(0);
    first.refuseStreams(false);
    await started;
    expect(first.regions.size).toBe(2);
  });

  it('outlives a time without any leader, during which the dead one is still named', async () => {
    await start();
    second.lead(first.url);
    await first.close();
    await until('several looks in vain', () => second.looks >= 3 || undefined);
    second.lead(second.url);
    await until('both regions at the new leader', () => second.regions.size === 2 || undefined, {
      seen: () => second.calls,
    });
  });

  it('ignores a refused region heartbeat and keeps the stream', async () => {
    await start();
    first.push({
      header: { cluster_id: '7300000000000000001', error: { type: 'UNKNOWN', message: 'region is stale' } },
    });
    const before = first.heartbeats.length;
    await until('two more heartbeats', () => first.heartbeats.length >= before + 2 || undefined);
    expect(first.calls.filter((call) => call.startsWith('RegionHeartbeat'))).toHaveLength(2);
  });

  it('stops all heartbeats when PD calls the store a tombstone, and says so in the log', async () => {
    await start();
    first.bury(1);
    await until('the end of the heartbeats', () => logged.find((line) => line.includes('StoreTombstone')));
    await until('the end of the stream', () => first.streams === 0 || undefined, { seen: () => first.streams });
  });

  const addressed = { region_id: 10, region_epoch: { conf_ver: 3, version: 24 }, target_peer: { id: 11, store_id: 1 } };
  const to = { regionId: 10, confVer: 3, version: 24, leader: 11 };
  const [two, three] = [
    { id: 12, store_id: 2 },
    { id: 13, store_id: 3 },
  ];
  const add = { change_type: 'AddNode', peer: three };
  const demote = { change_type: 'AddLearnerNode', peer: two };
  const twoHere = { id: 12, storeId: 2 };
  const threeHere = { id: 13, storeId: 3 };

  it.each<[string, object, PdOrder]>([
    [
      'a transfer of leadership with its alternatives',
      { transfer_leader: { peer: two, peers: [three] } },
      { ...to, kind: 'transfer leader', targets: [threeHere] },
    ],
    [
      'a transfer of leadership to one peer',
      { transfer_leader: { peer: two } },
      { ...to, kind: 'transfer leader', targets: [twoHere] },
    ],
    [
      'the entering of a joint configuration',
      { change_peer_v2: { changes: [add, demote] } },
      {
        ...to,
        kind: 'change peer',
        changes: [
          { kind: 'add-voter', peer: threeHere },
          { kind: 'add-learner', peer: twoHere },
        ],
      },
    ],
    ['the leaving of it, which is an empty list', { change_peer_v2: {} }, { ...to, kind: 'change peer', changes: [] }],
    [
      'a change as PDs before 5.0 send it',
      { change_peer: { change_type: 'RemoveNode', peer: two } },
      { ...to, kind: 'change peer', changes: [{ kind: 'remove', peer: twoHere }] },
    ],
  ])('hands on %s', async (_, message, order) => {
    await start();
    first.push({ ...addressed, ...message });
    await until('the order', () => orders[0]);
    expect(orders).toEqual([order]);
  });

  it('makes no order of a keep-alive', async () => {
    await start();
    first.push({});
    first.push({ ...addressed, transfer_leader: { peer: two } });
    await until('the order behind it', () => orders[0]);
    expect(orders).toHaveLength(1);
  });
});
