import { beforeAll, describe, expect, it } from '@jest/globals';
import { regionKey } from '../../subjects/tikv/lab/store/layout.js';
import { until } from '../support/until.js';
import { type ListedRegion, type ListedStore, REGIONS, scaled, withCluster } from './cluster.js';

/**
 * What PD does by itself with the lab's stores. The tests are one story: each finds the cluster as the one before left it.
 */
const cluster = withCluster();
/** PD leaves so much uneven: 5 x 2 leaders, by count. */
const TOLERANCE = 10;

const leadersOf = ({ status }: ListedStore) => status.leader_count ?? 0;
const byAddress = (stores: readonly ListedStore[], address: string) =>
  stores.find(({ store }) => store.address === address);
const byId = (stores: readonly ListedStore[], id: number) => stores.find(({ store }) => store.id === id);
const allLed = (stores: readonly ListedStore[]) => stores.reduce((sum, one) => sum + leadersOf(one), 0) === REGIONS;
const regions = async () => (await cluster.get<{ regions: ListedRegion[] }>('regions')).regions;

beforeAll(async () => {
  await cluster.settled('four stores Up with all regions led', (seen) => {
    return seen.length === 4 && seen.every(({ store }) => store.state_name === 'Up') && allLed(seen);
  });
}, scaled(120_000));

describe('PD with the stores of the lab', () => {
  it(
    'drains a store whose leaders are to be evicted',
    async () => {
      const id = await anyId();
      expect(await cluster.send('POST', 'schedulers', { name: 'evict-leader-scheduler', store_id: id })).toMatch(
        /^200 /,
      );
      const stores = await cluster.settled(
        'no leader on it',
        (seen) => allLed(seen) && leadersOf(byId(seen, id)!) === 0,
      );
      expect(byId(stores, id)!.store.state_name).toBe('Up');
      expect(await cluster.send('DELETE', 'schedulers/evict-leader-scheduler')).toMatch(/^200 /);
    },
    scaled(120_000),
  );

  it(
    'spreads 24 leaders again once nothing keeps them together',
    async () => {
      const [spared, ...others] = (await cluster.listed()).map(({ store }) => store.id);
      for (const store_id of others)
        await cluster.send('POST', 'schedulers', { name: 'evict-leader-scheduler', store_id });
      const held = (await regions()).filter(({ peers }) => peers.some(({ store_id }) => store_id === spared)).length;
      await cluster.settled('all it can lead on one store', (seen) => leadersOf(byId(seen, spared!)!) === held);
      expect(await cluster.send('DELETE', 'schedulers/evict-leader-scheduler')).toMatch(/^200 /);
      const spread = (seen: readonly ListedStore[]) =>
        Math.max(...seen.map(leadersOf)) - Math.min(...seen.map(leadersOf));
      await cluster.settled('leaders spread', (seen) => allLed(seen) && spread(seen) <= TOLERANCE);
    },
    scaled(240_000),
  );

  it(
    'calls a killed store Disconnected and then Down, rebuilds its peers on the others, and calls it Up when it is back',
    async () => {
      await writeKeys();
      const node = cluster.stores.nodes[0]!;
      const isIn = (state: string) => (seen: readonly ListedStore[]) =>
        byAddress(seen, node.address)?.store.state_name === state;
      const dead = byAddress(await cluster.listed(), node.address)!.store.id;
      await cluster.stores.end(node, 'SIGKILL');
      await cluster.settled('Disconnected', isIn('Disconnected'));

      const putBack = await lowerDownTime();
      try {
        await cluster.settled('Down', isIn('Down'));
        await rebuiltWithout(dead);
        expect(byId(await cluster.listed(), dead)!.store.state_name).toBe('Down');
        expect(await readKeys()).toEqual(KEYS.map((key) => [key, `kept-${key}`]));
      } finally {
        await putBack();
      }

      cluster.stores.start(node);
      await cluster.settled('Up', isIn('Up'));
    },
    scaled(240_000),
  );

  it(
    'moves the peers of a deleted store to the others, and calls it Tombstone when it is empty',
    async () => {
      const id = await fullestId();
      expect(await cluster.send('DELETE', `store/${id}`)).toMatch(/^200 "The store is set as Offline\."/);
      await cluster.settled('three stores listed', (seen) => seen.length === 3 && byId(seen, id) === undefined);
      expect(byId((await cluster.get<{ stores: ListedStore[] }>('stores?state=2')).stores, id)!.store.state_name).toBe(
        'Tombstone',
      );
      const held = (await regions()).map(({ peers }) => peers.map(({ store_id }) => store_id));
      expect(held.map((stores) => [new Set(stores).size, stores.includes(id)])).toEqual(held.map(() => [3, false]));
    },
    scaled(240_000),
  );
});

/** One in each region. */
const KEYS = Array.from({ length: REGIONS }, (_, index) => regionKey(index, '-kept'));

async function writeKeys(): Promise<void> {
  const results = await Promise.all(KEYS.map((key) => cluster.client.put(key, `kept-${key}`)));
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
}

async function readKeys(): Promise<[string, string | null][]> {
  const results = await Promise.all(KEYS.map((key) => cluster.client.get(key)));
  return results.map((result, index) => [KEYS[index]!, result.ok ? result.value : 'gave up']);
}

/** As an operator shortens it who will not wait; above the time after which PD calls a store Disconnected. */
async function lowerDownTime(): Promise<() => Promise<void>> {
  const { 'max-store-down-time': before } = await cluster.get<Record<string, unknown>>('config/schedule');
  const set = async (value: unknown) =>
    expect(await cluster.send('POST', 'config', { 'schedule.max-store-down-time': value })).toMatch(/^200 /);
  await set(`${scaled(5)}s`);
  return () => set(before);
}

/** Waits until every region has three voters with all their data, none of them on that store. */
async function rebuiltWithout(storeId: number): Promise<void> {
  let seen: readonly ListedRegion[] = [];
  const lacks = ({ peers, down_peers, pending_peers }: ListedRegion) => {
    const voters = peers.filter(({ role_name, store_id }) => role_name === 'Voter' && store_id !== storeId);
    return peers.length !== 3 || voters.length !== 3 || [down_peers, pending_peers].some((ill) => ill?.length);
  };
  const rebuilt = async () => {
    const listed = await regions();
    seen = listed.filter(lacks);
    return (listed.length === REGIONS && seen.length === 0) || undefined;
  };
  await until(`no peer on store ${storeId}`, rebuilt, { deadlineMs: scaled(60_000), everyMs: 200, seen: () => seen });
}

async function fullestId(): Promise<number> {
  const held = ({ status }: ListedStore) => status.region_count ?? 0;
  return (await cluster.listed()).toSorted((a, b) => held(b) - held(a))[0]!.store.id;
}

async function anyId(): Promise<number> {
  return (await cluster.listed())[1]!.store.id;
}
