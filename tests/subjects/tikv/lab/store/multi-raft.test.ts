import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStorage, type RaftStorage } from '../../../../../subjects/tikv/lab/raft/storage.js';
import { type PeerMeta, regionKey, seedLayout } from '../../../../../subjects/tikv/lab/store/layout.js';
import { createLog } from '../../../../../subjects/tikv/lab/store/log.js';
import { createStoreMetrics } from '../../../../../subjects/tikv/lab/store/metrics.js';
import { createMultiRaft, type MultiRaft } from '../../../../../subjects/tikv/lab/store/multi-raft.js';
import { peersOnDisk } from '../../../../../subjects/tikv/lab/store/peers-on-disk.js';
import { RegionPeer } from '../../../../../subjects/tikv/lab/store/region-peer.js';
import { writeSeedLogs } from '../../../../../subjects/tikv/lab/store/seed.js';
import type { Letter } from '../../../../../subjects/tikv/lab/store/store-frames.js';
import { PROFILES } from '../../../../../subjects/tikv/profiles.js';
import { until } from '../../../../support/until.js';

/** Three stores in one process with two regions; messages to a store in `cutOff` or from it are lost. */
const layout = seedLayout({ storeIds: [1, 2, 3], regions: 2 });
const [first, second] = layout.map(({ meta }) => meta.id) as [number, number];

let dir: string;
let now: number;
let disks: RaftStorage[];
const stores = new Map<number, MultiRaft>();
const cutOff = new Set<number>();
let delivered = 0;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'medic-multi-raft-'));
  now = 0;
  disks = [];
  cutOff.clear();
  for (const storeId of [1, 2, 3]) stores.set(storeId, await startOne(storeId));
  const firstLeaders = new Map(layout.map(({ meta, firstLeader }) => [meta.id, firstLeader.id]));
  for (const store of stores.values()) store.settle(firstLeaders);
  await until('both regions are led as laid out', () => (serves(1, first) && serves(2, second)) || undefined);
});

afterEach(async () => {
  for (const store of stores.values()) store.stop();
  for (const disk of disks) await disk.close();
  rmSync(dir, { recursive: true });
});

async function startOne(storeId: number): Promise<MultiRaft> {
  const { storage } = await openStorage({ dir: join(dir, String(storeId)) });
  disks.push(storage);
  const groups = await writeSeedLogs(storage, { regions: layout.map(({ meta }) => meta), storeId });
  const times = PROFILES.fast.cluster;
  const monotonicMs = () => now + performance.now();
  const { places, gone } = peersOnDisk(groups);
  return createMultiRaft({
    peers: places.map((place) => new RegionPeer({ ...place, storeId, times, random: Math.random, monotonicMs })),
    gone,
    createPeer: () => {
      throw new Error('nobody adds a peer here');
    },
    disk: storage,
    send: (to, letter) => deliver({ from: storeId, to, letter }),
    flush: () => undefined,
    isReachable: () => true,
    monotonicMs,
    times,
    onChange: () => undefined,
    onMembers: () => undefined,
    onStranded: () => undefined,
    onFatal: (error) => {
      throw error;
    },
    log: createLog({ now: () => new Date(), write: () => undefined }),
    metrics: createStoreMetrics({ version: 'test' }),
  });
}

function deliver({ from, to, letter }: { from: number; to: number; letter: Letter }): void {
  delivered += 1;
  if (cutOff.has(from) || cutOff.has(to)) return stores.get(from)!.unreachable(to);
  setImmediate(() => stores.get(to)!.step(letter, from));
}

function serves(storeId: number, regionId: number): boolean {
  return stores.get(storeId)!.region(regionId)!.isServing;
}

describe('many regions in one store', () => {
  it('hand leadership to the intended first leader when another peer won, but only once', async () => {
    cutOff.add(1);
    const heir = await until('another store leads', () => [2, 3].find((id) => serves(id, first)), {
      deadlineMs: 10_000,
    });
    cutOff.clear();
    await until('store 1 follows', () => stores.get(1)!.region(first)!.node.leader ?? undefined);
    expect(serves(heir, first)).toBe(true);
    stores.get(heir)!.settle(new Map([[first, layout[0]!.firstLeader.id]]));
    await until('store 1 leads again', () => serves(1, first) || undefined);
  });

  it('serve a write and a read through the leader', async () => {
    const key = regionKey(0, '-a');
    expect(await stores.get(1)!.write(first, { key, value: '1' })).toEqual({ ok: true, value: null });
    expect(await stores.get(1)!.read(first, key)).toEqual({ ok: true, value: '1' });
  });

  it('answer NotLeader with the leader on a follower', async () => {
    const leaderPeer = layout[0]!.meta.peers[0]!.id;
    const refused = { ok: false, error: { kind: 'NotLeader', leaderPeer } };
    await until('the follower knows its leader', () => stores.get(3)!.region(first)!.node.leader ?? undefined);
    expect(await stores.get(3)!.read(first, regionKey(0))).toEqual(refused);
    expect(await stores.get(3)!.write(first, { key: regionKey(0), value: '' })).toEqual(refused);
  });

  it('answer RegionNotFound and KeyNotInRegion', async () => {
    expect(await stores.get(1)!.read(9_999, 'a')).toEqual({ ok: false, error: { kind: 'RegionNotFound' } });
    expect(await stores.get(1)!.read(first, regionKey(1))).toEqual({ ok: false, error: { kind: 'KeyNotInRegion' } });
  });

  it('refuse a read on a leader that was asleep for longer than its lease', async () => {
    expect(await stores.get(1)!.read(first, regionKey(0))).toMatchObject({ ok: true });
    now += 60_000;
    expect(await stores.get(1)!.read(first, regionKey(0))).toMatchObject({ ok: false });
  });

  it('do not send without end to a peer that cannot be reached', async () => {
    cutOff.add(3);
    await stores.get(1)!.write(first, { key: regionKey(0), value: '1' });
    const before = { delivered, at: performance.now() };
    await until(
      'store 3 gives up on its leader',
      () => stores.get(3)!.region(first)!.node.leader === null || undefined,
      {
        deadlineMs: 10_000,
      },
    );
    const perSecond = (delivered - before.delivered) / ((performance.now() - before.at) / 1_000);
    expect(perSecond).toBeLessThan(200);
  });

  it('answer StaleCommand to a write whose leader was cut off, and keep what was acknowledged', async () => {
    const key = regionKey(0, '-b');
    await stores.get(1)!.write(first, { key, value: 'kept' });
    cutOff.add(1);
    const lost = stores.get(1)!.write(first, { key, value: 'lost' });
    expect(await lost).toEqual({ ok: false, error: { kind: 'StaleCommand' } });
    const heir = await until('another store leads', () => [2, 3].find((id) => serves(id, first)), {
      deadlineMs: 10_000,
    });
    expect(await stores.get(heir)!.read(first, key)).toEqual({ ok: true, value: 'kept' });
  });

  it('truncate a long log, and bring a peer that missed it all back with a snapshot', async () => {
    cutOff.add(3);
    const leader = stores.get(1)!;
    for (let i = 0; i < 300; i += 1) await leader.write(first, { key: regionKey(0, `-${i % 10}`), value: String(i) });
    // The leader keeps its log for the peer that lags; the follower next to it does not.
    expect(leader.region(first)!.node.snapshotIndex).toBe(5);
    await until('the follower truncated', () => stores.get(2)!.region(first)!.node.snapshotIndex > 250 || undefined);
    const { meta } = leader.region(first)!;
    const [leads, follows] = meta.peers as [PeerMeta, PeerMeta];
    leader.obey({ ...meta, regionId: first, leader: leads.id, kind: 'transfer leader', targets: [follows] });
    await until('store 2 leads', () => serves(2, first) || undefined);
    cutOff.clear();
    const returned = stores.get(3)!.region(first)!;
    await until('store 3 has it all', () => returned.state.get(regionKey(0, '-9')) === '299' || undefined);
    expect(returned.node.snapshotIndex).toBeGreaterThan(250);
  });
});
