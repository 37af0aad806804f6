import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ListedRegion, type ListedStore, REGIONS, withCluster } from './cluster.js';

/**
 * What PD does by itself with the lab's stores. The tests are one story: each finds the cluster as the one before left it.
 */
const cluster = withCluster();
/** PD leaves so much uneven: 5 x 2 leaders, by count. */
const TOLERANCE = 10;

const leadersOf = ({ status }: ListedStore) => status.leader_count ?? 0;
const byId = (stores: readonly ListedStore[], id: number) => stores.find(({ store }) => store.id === id);
const allLed = (stores: readonly ListedStore[]) => stores.reduce((sum, one) => sum + leadersOf(one), 0) === REGIONS;
const regions = async () => (await cluster.get<{ regions: ListedRegion[] }>('regions')).regions;

beforeAll(async () => {
  await cluster.settled('four stores Up with all regions led', (seen) => {
    return seen.length === 4 && seen.every(({ store }) => store.state_name === 'Up') && allLed(seen);
  });
}, 120_000);

describe('PD with the stores of the lab', () => {
  it('drains a store whose leaders are to be evicted', async () => {
    const id = await anyId();
    expect(await cluster.send('POST', 'schedulers', { name: 'evict-leader-scheduler', store_id: id })).toMatch(/^200 /);
    const stores = await cluster.settled('no leader on it', (seen) => allLed(seen) && leadersOf(byId(seen, id)!) === 0);
    expect(byId(stores, id)!.store.state_name).toBe('Up');
    expect(await cluster.send('DELETE', 'schedulers/evict-leader-scheduler')).toMatch(/^200 /);
  }, 120_000);

  it('spreads 24 leaders again once nothing keeps them together', async () => {
    const [spared, ...others] = (await cluster.listed()).map(({ store }) => store.id);
    for (const store_id of others)
      await cluster.send('POST', 'schedulers', { name: 'evict-leader-scheduler', store_id });
    const held = (await regions()).filter(({ peers }) => peers.some(({ store_id }) => store_id === spared)).length;
    await cluster.settled('all it can lead on one store', (seen) => leadersOf(byId(seen, spared!)!) === held);
    expect(await cluster.send('DELETE', 'schedulers/evict-leader-scheduler')).toMatch(/^200 /);
    const spread = (seen: readonly ListedStore[]) =>
      Math.max(...seen.map(leadersOf)) - Math.min(...seen.map(leadersOf));
    await cluster.settled('leaders spread', (seen) => allLed(seen) && spread(seen) <= TOLERANCE);
  }, 240_000);

  it('calls a killed store Disconnected when it has been silent for too long, and Up after its next heartbeat', async () => {
    const node = cluster.stores.nodes[0]!;
    const isIn = (state: string) => (seen: readonly ListedStore[]) =>
      seen.find(({ store }) => store.address === node.address)?.store.state_name === state;
    await cluster.stores.end(node, 'SIGKILL');
    await cluster.settled('Disconnected', isIn('Disconnected'));
    cluster.stores.start(node);
    await cluster.settled('Up', isIn('Up'));
  }, 240_000);

  it('moves the peers of a deleted store to the others, and calls it Tombstone when it is empty', async () => {
    const id = await anyId();
    expect(await cluster.send('DELETE', `store/${id}`)).toMatch(/^200 "The store is set as Offline\."/);
    await cluster.settled('three stores listed', (seen) => seen.length === 3 && byId(seen, id) === undefined);
    expect(byId((await cluster.get<{ stores: ListedStore[] }>('stores?state=2')).stores, id)!.store.state_name).toBe(
      'Tombstone',
    );
    const held = (await regions()).map(({ peers }) => peers.map(({ store_id }) => store_id));
    expect(held.map((stores) => [new Set(stores).size, stores.includes(id)])).toEqual(held.map(() => [3, false]));
  }, 240_000);
});

async function anyId(): Promise<number> {
  return (await cluster.listed())[1]!.store.id;
}
