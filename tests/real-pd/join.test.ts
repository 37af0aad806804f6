import { describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { type ListedRegion, REGIONS, scaled, withCluster } from './cluster.js';

/** Against the stand-in, or against a real PD: `PD_SERVER=/path npm run test:real-pd`. */
const cluster = withCluster();
const sumOf = (numbers: readonly (number | undefined)[]) => numbers.reduce((sum: number, one) => sum + (one ?? 0), 0);

describe("the lab's stores and PD", () => {
  it(
    'four stores join: one bootstraps, all register, and PD calls them Up',
    async () => {
      const stores = await cluster.settled(
        'four stores Up',
        (seen) => seen.length === 4 && seen.every(({ store }) => store.state_name === 'Up'),
      );
      const addresses = cluster.stores.nodes.map(({ address }) => address).sort();
      expect(stores.map(({ store }) => store.address).sort()).toEqual(addresses);
      expect(await cluster.get('cluster/status')).toMatchObject({
        raft_bootstrap_time: expect.stringMatching(/^20\d\d-/),
      });
    },
    scaled(120_000),
  );

  it(
    'PD takes the regions from the heartbeats of their leaders, without a hole between them',
    async () => {
      await cluster.settled(
        'all regions led',
        (seen) => sumOf(seen.map(({ status }) => status.leader_count)) === REGIONS,
      );
      const threeEach = async () => {
        const { regions: listed } = await cluster.get<{ regions: ListedRegion[] }>('regions');
        // A peer that PD moves is there twice for a moment.
        return listed.every(({ peers }) => new Set(peers.map(({ store_id }) => store_id)).size === 3)
          ? listed
          : undefined;
      };
      const regions = await until('three peers of each region', threeEach, { deadlineMs: scaled(5_000) });
      expect(regions).toHaveLength(REGIONS);
      const sorted = regions.toSorted((a, b) => (a.start_key < b.start_key ? -1 : 1));
      expect(sorted.map(({ start_key }) => start_key)).toEqual([
        '',
        ...sorted.slice(0, -1).map(({ end_key }) => end_key),
      ]);
    },
    scaled(120_000),
  );

  it(
    'PD counts what each store holds',
    async () => {
      const stores = await cluster.settled(
        'every peer counted',
        (seen) => sumOf(seen.map(({ status }) => status.region_count)) === 3 * REGIONS,
      );
      expect(sumOf(stores.map(({ status }) => status.leader_count))).toBe(REGIONS);
    },
    scaled(120_000),
  );

  it(
    'PD hears each store again and again',
    async () => {
      const heard = async () =>
        new Map(
          (await cluster.listed()).map(({ store, status }) => [store.id, Date.parse(status.last_heartbeat_ts ?? '')]),
        );
      const before = await heard();
      await cluster.settled('a younger heartbeat of each', (seen) =>
        seen.every(({ store, status }) => Date.parse(status.last_heartbeat_ts ?? '') > before.get(store.id)!),
      );
    },
    scaled(120_000),
  );
});
