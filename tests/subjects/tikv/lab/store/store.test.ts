import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkHistory } from '../../../../../bench/linearizability/history.js';
import { createStoreClient, type StoreClient } from '../../../../../subjects/tikv/lab/store/client.js';
import { regionKey } from '../../../../../subjects/tikv/lab/store/layout.js';
import { until } from '../../../../support/until.js';
import { type BusyClients, startBusyClients } from './busy-clients.js';
import { type MiniPd, startMiniPd } from './mini-pd.js';
import { type StoreNode, type Stores, storeProcesses } from './store-processes.js';

let pd: MiniPd;
let stores: Stores;
let client: StoreClient;
let busy: BusyClients | undefined;

beforeAll(async () => {
  pd = await startMiniPd();
  stores = await storeProcesses({ pd: [pd.url], count: 4 });
  for (const node of stores.nodes) stores.start(node);
  client = createStoreClient({ pd: [pd.url], attemptMs: 1_000, giveUpMs: 20_000 });
});

afterAll(async () => {
  // What its clients met is the test's to tell.
  await busy?.stop().catch(() => undefined);
  client.close();
  await stores.stop();
  await pd.close();
});

const seedRegions = () => [...pd.regions.values()].filter(({ version }) => version > 1);
const leaders = () =>
  [...pd.stores.keys()].map((id) => seedRegions().filter(({ leaderStore }) => leaderStore === id).length);
const pending = () => seedRegions().flatMap(({ pendingStores }) => pendingStores);
const seen = () => ({
  leaders: leaders(),
  pending: pending(),
  tails: stores.nodes.map(({ output }) => output.slice(-3)),
});
const holds = (condition: () => boolean) => () => condition() || undefined;
const idOf = (node: StoreNode) => [...pd.stores.values()].find(({ address }) => address === node.address)!.id;
/** One step of an operator, addressed as PD does, to whoever leads the region. */
const order = (id: number, step: object) => {
  const { raw } = pd.regions.get(id)!;
  pd.push({ region_id: id, region_epoch: raw.region.region_epoch, target_peer: raw.leader, ...step });
};
const settled = (id: number, peers: string[]) =>
  until(
    `region ${id} is ${peers}, with all data`,
    () => {
      const region = pd.regions.get(id)!;
      return (
        (region.peers.toSorted().join() === peers.toSorted().join() && region.pendingStores.length === 0) || undefined
      );
    },
    { deadlineMs: 10_000, seen: () => pd.regions.get(id) },
  );
const get = (node: StoreNode, path: string) => fetch(`http://${node.statusAddress}${path}`);
const families = readFileSync(
  new URL('../../../../fixtures/tikv-recordings/metrics-families.txt', import.meta.url),
  'utf8',
).split('\n');

/** The tests of this file are one story: each finds the cluster as the one before left it. */
describe('four stores and a PD', () => {
  it('bootstrap once and report 24 regions with six leaders on each store and nothing pending', async () => {
    await until(
      '24 regions, led as laid out',
      holds(() => leaders().join() === '6,6,6,6'),
      { deadlineMs: 30_000, seen },
    );
    await until(
      'nothing pending',
      holds(() => pending().length === 0),
      { seen },
    );
    expect(pd.bootstraps).toBe(1);
  });

  it('serve writes and reads of a key in every region', async () => {
    for (let index = 0; index < 24; index += 1) {
      const key = regionKey(index, '-probe');
      expect(await client.put(key, `value-${index}`)).toMatchObject({ ok: true });
      expect(await client.get(key)).toMatchObject({ ok: true, value: `value-${index}` });
    }
  });

  it('answer on the status port as TiKV does', async () => {
    const [node] = stores.nodes as [StoreNode];
    const status = await get(node, '/status');
    expect([status.status, await status.text(), status.headers.get('content-length')]).toEqual([200, '', '0']);
    const unknown = await get(node, '/nosuchpath');
    expect([unknown.status, await unknown.text()]).toEqual([404, 'path not found']);
    expect(await (await get(node, '/engine_type')).text()).toBe('raft-kv');
    expect(await (await get(node, '/config')).json()).toMatchObject({
      coprocessor: { 'region-max-size': '384MiB', 'region-split-keys': 2_560_000 },
      storage: { engine: 'raft-kv' },
    });
    const region = (await (await get(node, '/region/10')).json()) as Record<string, unknown>;
    expect(Object.keys(region)).toEqual(['group_state', 'raft_status', 'raft_apply', 'region_state', 'bucket_keys']);
    expect((await get(node, '/region/9999')).status).toBe(404);
  });

  it('show metrics under names, types and labels that TiKV has', async () => {
    const response = await get(stores.nodes[0]!, '/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4');
    const text = await response.text();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    expect(types.length).toBeGreaterThan(20);
    const known = families.map((line) => line.split(' {')[0]);
    expect(types.filter((family) => !known.includes(family))).toEqual([]);
    expect(text).toContain('tikv_raftstore_region_count{type="leader"} 6');
    expect(text).toContain('tikv_raftstore_slow_score{type="network"} 1');
    expect(text).toMatch(/tikv_grpc_msg_duration_seconds_count\{type="raw_put",priority="medium"\} [1-9]/);
  });

  it('let the others take over when one is killed, with one pending peer for each lost leader', async () => {
    const [node] = stores.nodes as [StoreNode];
    const id = idOf(node);
    await stores.end(node, 'SIGKILL');
    await until(
      'no leader on the dead store',
      holds(() => seedRegions().every((region) => region.leaderStore !== id)),
      {
        deadlineMs: 15_000,
        seen,
      },
    );
    expect(pending()).toEqual([id, id, id, id, id, id]);
    const during = await client.put(regionKey(0, '-probe'), 'written while one store is dead');
    expect(during).toMatchObject({ ok: true });
  });

  it('take a killed store back: nothing pending, then a late first heartbeat that says busy', async () => {
    const [node] = stores.nodes as [StoreNode];
    const before = { heartbeats: pd.heartbeats.length, start: pd.stores.get(idOf(node))!.startTimestamp };
    const startedAt = performance.now();
    stores.start(node);
    await until(
      'nothing pending',
      holds(() => pending().length === 0),
      { deadlineMs: 15_000, seen },
    );
    const first = await until(
      'its first heartbeat',
      () => pd.heartbeats.slice(before.heartbeats).find(({ storeId }) => storeId === idOf(node)),
      { deadlineMs: 15_000, seen },
    );
    expect(first.stats.is_busy).toBe(true);
    expect(first.at - startedAt).toBeGreaterThan(2_000);
    expect(pd.stores.get(idOf(node))!.startTimestamp).toBeGreaterThan(before.start);
    const calm = () =>
      pd.heartbeats.some(({ storeId, at, stats }) => storeId === idOf(node) && at > first.at && !stats.is_busy);
    await until('a heartbeat that is not busy', holds(calm), { deadlineMs: 15_000, seen });
  });

  it('move a voter to a store that had none, step by step as PD asks, and let it lead', async () => {
    const { id, raw, leaderStore } = seedRegions().find(({ startKey }) => startKey === regionKey(1))!;
    const { peers } = raw.region;
    const goes = peers.find(({ store_id }) => Number(store_id) !== leaderStore)!;
    const stays = peers.filter((peer) => peer !== goes).map(({ store_id }) => store_id);
    const target = [...pd.stores.keys()].find((store) => !peers.some(({ store_id }) => Number(store_id) === store))!;
    const fresh = { id: 9_001, store_id: target };
    const nodeOf = (store: number) => stores.nodes.find(({ address }) => address === pd.stores.get(store)!.address)!;
    const change = (...changes: object[]) => order(id, { change_peer_v2: { changes } });
    const voters = stays.map((store) => `${store}:Voter`);

    change({ change_type: 'AddLearnerNode', peer: fresh });
    await settled(id, [...voters, `${goes.store_id}:Voter`, `${target}:Learner`]);
    change({ change_type: 'AddNode', peer: fresh }, { change_type: 'AddLearnerNode', peer: goes });
    await settled(id, [...voters, `${goes.store_id}:DemotingVoter`, `${target}:IncomingVoter`]);
    change();
    await settled(id, [...voters, `${goes.store_id}:Learner`, `${target}:Voter`]);
    change({ change_type: 'RemoveNode', peer: goes });
    await settled(id, [...voters, `${target}:Voter`]);
    expect(pd.regions.get(id)!.confVer).toBe(Number(raw.region.region_epoch.conf_ver) + 6);
    await until(
      'the old peer is destroyed',
      async () => (await get(nodeOf(Number(goes.store_id)), `/region/${id}`)).status === 404 || undefined,
      { deadlineMs: 10_000, seen },
    );

    order(id, { transfer_leader: { peer: fresh, peers: [fresh] } });
    await until('the new peer leads', () => pd.regions.get(id)!.leaderStore === target || undefined, {
      deadlineMs: 10_000,
      seen: () => pd.regions.get(id),
    });
    const region = (await (await get(nodeOf(target), `/region/${id}`)).json()) as { raft_status: { id: number } };
    expect(region.raft_status.id).toBe(9_001);
    expect(await client.get(regionKey(1, '-probe'))).toMatchObject({ ok: true, value: 'value-1' });
    expect(await client.put(regionKey(1, '-probe'), 'value-1')).toMatchObject({ ok: true });
  });

  it('keep every acknowledged write when all are killed at once', async () => {
    await Promise.all(stores.nodes.map((node) => stores.end(node, 'SIGKILL')));
    for (const node of stores.nodes) stores.start(node);
    for (let index = 0; index < 24; index += 1) {
      const value = index === 0 ? 'written while one store is dead' : `value-${index}`;
      expect(await client.get(regionKey(index, '-probe'))).toMatchObject({ ok: true, value });
    }
  });

  it('show all clients one register for each key, while leaders are moved and a store is frozen, thaws, and another dies', async () => {
    const indexes = [0, 6, 12, 18];
    const keys = indexes.map((index) => regionKey(index, '-shared'));
    const shared = () =>
      seedRegions().filter(({ startKey, endKey }) => keys.some((key) => startKey <= key && key < endKey));
    expect(shared()).toHaveLength(4);
    const clients = startBusyClients({ pd: [pd.url], clients: 6, keys });
    busy = clients;
    const served = (since: number) => {
      const fresh = clients.operations.slice(since).map(({ key }) => key);
      return keys.every((key) => fresh.filter((one) => one === key).length >= 12);
    };
    const serve = async () => {
      const since = clients.operations.length;
      await until(
        'every key is served',
        holds(() => served(since)),
        { deadlineMs: 15_000, seen },
      );
    };
    const ledElsewhere = (node: StoreNode) =>
      until(
        `no leader on ${node.name}`,
        holds(() => shared().every(({ leaderStore }) => leaderStore !== idOf(node))),
        {
          deadlineMs: 15_000,
          seen,
        },
      );
    const leaderOfFirst = () => stores.nodes.find((node) => idOf(node) === shared()[0]!.leaderStore)!;

    await serve();
    for (const { id, raw, leaderStore } of shared()) {
      const { peers, region_epoch } = raw.region;
      const target = peers.find(({ store_id }) => Number(store_id) !== leaderStore)!;
      const order = { region_id: String(id), region_epoch, target_peer: raw.leader, transfer_leader: { peer: target } };
      const isLed = () => {
        if (pd.regions.get(id)!.leaderStore === Number(target.store_id)) return true;
        pd.push(order);
        return false;
      };
      // Repeated like PD's own orders, which come with every heartbeat until they are done.
      await until(`region ${id} is led by store ${target.store_id}`, holds(isLed), {
        everyMs: 200,
        deadlineMs: 15_000,
        seen,
      });
    }
    await serve();
    const frozen = leaderOfFirst();
    frozen.child!.kill('SIGSTOP');
    await ledElsewhere(frozen);
    await serve();
    frozen.child!.kill('SIGCONT');
    await serve();
    const dead = leaderOfFirst();
    await stores.end(dead, 'SIGKILL');
    await ledElsewhere(dead);
    stores.start(dead);
    await serve();
    await clients.stop();

    const unknown = clients.operations.filter(({ returnedAt }) => returnedAt === null);
    expect(unknown.length).toBeGreaterThan(0);
    expect(checkHistory(clients.operations)).toMatchObject({ broken: [], keys: 4 });
  }, 60_000);

  it('end on SIGTERM when PD has moved the leaders away, and at once when the pipe to the parent closes', async () => {
    // Nobody balances here: a store that was just killed leads nothing.
    const leadersOf = (node: StoreNode) => seedRegions().filter(({ leaderStore }) => leaderStore === idOf(node));
    const byLeaders = () => stores.nodes.toSorted((a, b) => leadersOf(b).length - leadersOf(a).length);
    const [first, second] = byLeaders() as [StoreNode, StoreNode];
    const id = idOf(first);
    const led = () => leadersOf(first);
    expect(led().length).toBeGreaterThan(0);
    const ended = stores.end(first, 'SIGTERM');
    await until('it says that it is stopping', () => pd.heartbeats.find(({ stats }) => stats.is_stopping), { seen });
    await until(
      'no leaders',
      () => {
        for (const { id: region, raw } of led()) {
          const peers = raw.region.peers.filter(({ store_id }) => Number(store_id) !== id);
          order(region, { transfer_leader: { peer: peers[0], peers } });
        }
        return led().length === 0 || undefined;
      },
      { deadlineMs: 10_000, everyMs: 200, seen },
    );
    expect(await ended).toBe(0);
    expect(first.output.filter((line) => line.includes('All leaders evicted'))).toHaveLength(1);
    expect(await stores.closeStdin(second)).toBe(0);
  });
});
