import { describe, expect, it } from '@jest/globals';
import { runningEntry } from '../../../../../../subjects/tikv/lab/pd/scheduler-entries.js';
import { PROFILES } from '../../../../../../subjects/tikv/profiles.js';
import { STATS } from '../samples.js';
import { type Layout, ModelCluster, SEED } from './model-cluster.js';

const { storeDownMs } = PROFILES.fast.cluster;
const SECOND = 200;

/** 24 regions with a peer on store 1 each, which leads them all. */
const CONCENTRATED: Layout = Array.from({ length: 24 }, (_, index) => {
  const others = [2, 3, 4].filter((_id, at) => at !== index % 3);
  return [1, ...others];
});

function withScheduler(cluster: ModelCluster, type: string, storeIds: readonly number[]): void {
  cluster.change({
    kind: 'schedule',
    schedulers: [...cluster.state.schedulers.filter((each) => each.type !== type), { type, disable: false, storeIds }],
  });
}

function without(cluster: ModelCluster, type: string): void {
  cluster.change({ kind: 'schedule', schedulers: cluster.state.schedulers.filter((each) => each.type !== type) });
}

/** Peers stay where they are, so that only leaders move. */
function concentrated(layout = CONCENTRATED): ModelCluster {
  const cluster = new ModelCluster({ layout });
  without(cluster, 'balance-region');
  return cluster;
}

const set = (cluster: ModelCluster, settings: Record<string, string | number>) =>
  cluster.change({ kind: 'set', settings });

describe('a healthy cluster of the seed layout', () => {
  it('is left alone', () => {
    const cluster = new ModelCluster({ layout: SEED });
    cluster.pass(60 * SECOND);
    expect(cluster.started).toEqual([]);
    expect([cluster.leaders(), cluster.peers()]).toEqual([
      [6, 6, 6, 6],
      [18, 18, 18, 18],
    ]);
  });

  it('is left alone when a store comes back after its 6 leaders went elsewhere: that is within the tolerance', () => {
    const cluster = new ModelCluster({ layout: SEED });
    cluster.kill(1);
    cluster.pass(30 * SECOND);
    cluster.revive(1);
    cluster.pass(60 * SECOND);
    expect(cluster.started).toEqual([]);
    expect(cluster.leaders()[0]).toBe(0);
  });
});

describe('balance-leader', () => {
  it('spreads 24 leaders of one store until no two stores differ by more than twice the tolerance', () => {
    const cluster = concentrated();
    cluster.pass(60 * SECOND);
    const leaders = cluster.leaders();
    expect(Math.max(...leaders) - Math.min(...leaders)).toBeLessThanOrEqual(10);
    expect(leaders[0]).toBeLessThanOrEqual(14);
    expect(leaders[0]).toBeGreaterThanOrEqual(9);
    const settled = cluster.started.length;
    cluster.pass(30 * SECOND);
    expect(cluster.started).toHaveLength(settled);
  });

  it('goes on until they are nearly level with a tolerance of 1', () => {
    const cluster = concentrated();
    set(cluster, { 'schedule.tolerant-size-ratio': 1 });
    cluster.pass(60 * SECOND);
    expect(Math.max(...cluster.leaders()) - Math.min(...cluster.leaders())).toBeLessThanOrEqual(2);
  });

  it('moves only as many as differ beyond the tolerance: of 14, 8, 2, 0 a few', () => {
    const cluster = concentrated(
      Array.from({ length: 24 }, (_, index) => (index < 14 ? [1, 4, 3] : index < 22 ? [2, 1, 3] : [3, 1, 2])),
    );
    expect(cluster.leaders()).toEqual([14, 8, 2, 0]);
    cluster.pass(60 * SECOND);
    expect(cluster.started.every(({ brief }) => brief === 'transfer leader: store 1 to 4')).toBe(true);
    expect(cluster.started.length).toBeGreaterThanOrEqual(2);
    expect(cluster.started.length).toBeLessThanOrEqual(5);
  });

  it.each([
    ['its limit is 0', (cluster: ModelCluster) => set(cluster, { 'schedule.leader-schedule-limit': 0 })],
    ['scheduling is halted', (cluster: ModelCluster) => set(cluster, { 'schedule.halt-scheduling': 'true' })],
    [
      'it rests',
      ({ pauses, nowMs }: ModelCluster) =>
        pauses.take({ name: 'balance-leader-scheduler', seconds: 600 }, BigInt(nowMs) * 1_000_000n),
    ],
    ['it was removed', (cluster: ModelCluster) => without(cluster, 'balance-leader')],
  ])('does nothing while %s', (_why, prepare) => {
    const cluster = concentrated();
    prepare(cluster);
    cluster.pass(20 * SECOND);
    expect(cluster.leaders()).toEqual([24, 0, 0, 0]);
  });

  it('gives nothing to stores that are busy or silent, and a store of weight 0 loses what it has', () => {
    const cluster = concentrated();
    cluster.stats.set(2, { ...STATS, isBusy: true });
    cluster.kill(3);
    cluster.pass(25 * SECOND);
    const before = cluster.leaders();
    expect(before.slice(1, 3)).toEqual([0, 0]);
    expect(before[3]).toBeGreaterThan(0);
    cluster.change({ kind: 'weigh-store', storeId: 1, weight: { leader: 0, region: 1 } });
    cluster.stats.set(2, STATS);
    cluster.pass(60 * SECOND);
    expect(
      cluster.regions.filter(({ leader, region }) => leader === 1 && region.peers.some(({ storeId }) => storeId === 2)),
    ).toEqual([]);
  });
});

describe('evict-leader', () => {
  it('drains a store at once and keeps it so, until it is removed', () => {
    const cluster = new ModelCluster({ layout: SEED });
    withScheduler(cluster, 'evict-leader', [1]);
    cluster.pass(3 * SECOND);
    expect(cluster.leaders()[0]).toBe(0);
    expect(cluster.started[0]?.brief).toMatch(
      /^evict leader: from store 1 to one in \[\d \d\], or to \d \(for compatibility\)$/,
    );
    cluster.pass(60 * SECOND);
    expect(cluster.leaders()[0]).toBe(0);
  });

  it('of all stores but one concentrates what that one can lead', () => {
    const cluster = new ModelCluster({ layout: SEED });
    withScheduler(cluster, 'evict-leader', [2, 3, 4]);
    cluster.pass(10 * SECOND);
    expect(cluster.leaders()[0]).toBe(18);
  });

  it('moves nothing while the leader limit is 0', () => {
    const cluster = new ModelCluster({ layout: SEED });
    set(cluster, { 'schedule.leader-schedule-limit': 0 });
    withScheduler(cluster, 'evict-leader', [1]);
    cluster.pass(20 * SECOND);
    expect(cluster.leaders()).toEqual([6, 6, 6, 6]);
  });
});

describe('grant-leader', () => {
  it('brings every leader to its store while balance-leader rests', () => {
    const cluster = concentrated(CONCENTRATED.map(([a = 0, b = 0, c = 0]) => [b, a, c]));
    without(cluster, 'balance-leader');
    withScheduler(cluster, 'grant-leader', [1]);
    cluster.pass(30 * SECOND);
    expect(cluster.leaders()[0]).toBe(24);
  });

  it('fights with balance-leader if nobody lets that one rest', () => {
    const cluster = concentrated(CONCENTRATED.map(([a = 0, b = 0, c = 0]) => [b, a, c]));
    withScheduler(cluster, 'grant-leader', [1]);
    cluster.pass(60 * SECOND);
    const before = cluster.started.length;
    cluster.pass(60 * SECOND);
    const later = cluster.started.slice(before).map(({ desc }) => desc);
    expect(new Set(later)).toEqual(new Set(['grant-leader-scheduler', 'balance-leader-scheduler']));
  });
});

describe('a slow store', () => {
  const slow = (cluster: ModelCluster, id: number, slowScore: number) => cluster.stats.set(id, { ...STATS, slowScore });
  const held = ({ state }: ModelCluster) =>
    runningEntry(state.schedulers, 'evict-slow-store-scheduler')?.storeIds ?? [];

  it('loses its leaders at a score of 100, and is held until it is well and 30 minutes have passed', () => {
    const cluster = new ModelCluster({ layout: SEED });
    slow(cluster, 2, 100);
    cluster.pass(5 * SECOND);
    expect([cluster.leaders()[1], held(cluster)]).toEqual([0, [2]]);
    slow(cluster, 2, 1);
    cluster.skip(1_700 * SECOND);
    cluster.pass(5 * SECOND);
    expect(held(cluster)).toEqual([2]);
    cluster.skip(120 * SECOND);
    expect(held(cluster)).toEqual([]);
  });

  it('is left alone while another one is slow, too, and below 100', () => {
    const cluster = new ModelCluster({ layout: SEED });
    slow(cluster, 2, 100);
    slow(cluster, 3, 80);
    cluster.pass(5 * SECOND);
    slow(cluster, 3, 1);
    slow(cluster, 2, 99);
    cluster.pass(5 * SECOND);
    expect([cluster.leaders(), held(cluster)]).toEqual([[6, 6, 6, 6], []]);
  });
});

it('a store that says it is about to stop loses its leaders', () => {
  const cluster = new ModelCluster({ layout: SEED });
  cluster.stats.set(4, { ...STATS, isStopping: true });
  cluster.pass(5 * SECOND);
  expect(cluster.leaders()[3]).toBe(0);
  expect(cluster.started[0]?.desc).toBe('evict-stopping-store-scheduler');
});

describe('a store that was sent away', () => {
  it('gives all its peers to the others, leaders first led elsewhere, and becomes Tombstone', () => {
    const cluster = new ModelCluster({ layout: SEED });
    cluster.change({ kind: 'change-store', storeId: 4, change: { state: 'Offline', nodeState: 'Removing' } });
    cluster.pass(10 * SECOND);
    expect(cluster.peers()).toEqual([24, 24, 24, 0]);
    expect(cluster.store(4).state).toBe('Tombstone');
    expect(new Set(cluster.started.map(({ desc }) => desc))).toEqual(
      new Set(['replace-rule-offline-peer', 'replace-rule-offline-leader-peer']),
    );
    expect(cluster.regions.every(({ region }) => region.peers.every(({ role }) => role === 'Voter'))).toBe(true);
  });

  it('goes 3 peers at a time and then 3 every 4 seconds if its regions are large: one per target', () => {
    const cluster = new ModelCluster({ layout: SEED, sizeMib: 96 });
    cluster.change(
      { kind: 'change-store', storeId: 4, change: { state: 'Offline', nodeState: 'Removing' } },
      { kind: 'limit-store', storeId: 4, limit: { 'remove-peer': 1e8 } },
    );
    cluster.pass(3 * SECOND);
    expect(cluster.started).toHaveLength(3);
    cluster.pass(4 * SECOND);
    expect(cluster.started).toHaveLength(6);
  });

  it('keeps its peers while the replica limit is 0', () => {
    const cluster = new ModelCluster({ layout: SEED });
    set(cluster, { 'schedule.replica-schedule-limit': 0 });
    cluster.change({ kind: 'change-store', storeId: 4, change: { state: 'Offline', nodeState: 'Removing' } });
    cluster.pass(10 * SECOND);
    expect(cluster.peers()[3]).toBe(18);
  });

  it('keeps its peers where no other store can take them', () => {
    const cluster = new ModelCluster({
      layout: SEED.map((_, index) => [1, 2, 3].map((id) => ((id + index) % 3) + 1)),
      stores: 3,
    });
    cluster.change({ kind: 'change-store', storeId: 3, change: { state: 'Offline', nodeState: 'Removing' } });
    cluster.pass(10 * SECOND);
    expect(cluster.started).toEqual([]);
  });
});

describe('the peers of a dead store', () => {
  it('are rebuilt elsewhere once it is Down and the leaders of its regions say so', () => {
    const cluster = new ModelCluster({ layout: SEED });
    cluster.kill(2);
    cluster.pass(25 * SECOND);
    cluster.skip(storeDownMs - 35 * SECOND);
    cluster.reportDown(2);
    cluster.pass(5 * SECOND);
    expect(cluster.started).toEqual([]);
    cluster.pass(60 * SECOND);
    expect(cluster.peers()).toEqual([24, 0, 24, 24]);
    expect(new Set(cluster.started.map(({ desc }) => desc))).toEqual(new Set(['replace-rule-down-peer']));
  });

  it('stay where they are while only PD says that it is Down', () => {
    const cluster = new ModelCluster({ layout: SEED });
    cluster.kill(2);
    cluster.pass(25 * SECOND);
    cluster.skip(storeDownMs);
    cluster.pass(25 * SECOND);
    expect(cluster.started).toEqual([]);
  });
});

describe('balance-region', () => {
  it.each([0, 1, 15])('fills a store that joined, with regions of %i MiB (0 is unknown)', (sizeMib) => {
    const cluster = new ModelCluster({ layout: SEED.map(() => [1, 2, 3]), stores: 4, sizeMib });
    cluster.pass(120 * SECOND);
    const peers = cluster.peers();
    expect(Math.max(...peers) - Math.min(...peers)).toBeLessThanOrEqual(3);
    expect(cluster.started.some(({ desc }) => desc === 'balance-region-scheduler')).toBe(true);
  });

  it('moves nothing to a store that is low on space', () => {
    const cluster = new ModelCluster({ layout: SEED.map(() => [1, 2, 3]), stores: 4 });
    cluster.stats.set(4, { ...STATS, available: 7 * 2 ** 30 });
    cluster.pass(60 * SECOND);
    expect(cluster.peers()[3]).toBe(0);
  });
});
