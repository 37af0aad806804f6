import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { holdsKey, regionKey, seedLayout } from '../../../../../subjects/tikv/lab/store/layout.js';

const counts = (values: number[]) =>
  [...new Set(values)].map((value) => values.filter((other) => other === value).length);
const storeIds = fc.uniqueArray(fc.integer({ min: 1, max: 5_000 }), { minLength: 3, maxLength: 7 });

describe('the seed layout', () => {
  it('puts six leaders and eighteen peers on each of four stores', () => {
    const layout = seedLayout({ storeIds: [1, 4, 5, 6], regions: 24 });
    expect(counts(layout.map((region) => region.firstLeader.storeId))).toEqual([6, 6, 6, 6]);
    expect(counts(layout.flatMap(({ meta }) => meta.peers.map((peer) => peer.storeId)))).toEqual([18, 18, 18, 18]);
  });

  it('puts eight leaders on each of three stores', () => {
    const layout = seedLayout({ storeIds: [7, 8, 9], regions: 24 });
    expect(counts(layout.map((region) => region.firstLeader.storeId))).toEqual([8, 8, 8]);
  });

  it('leaves every other store with a follower of each store, so that lost leaders can go anywhere', () => {
    const layout = seedLayout({ storeIds: [1, 2, 3, 4], regions: 24 });
    const followers = layout
      .filter((region) => region.firstLeader.storeId === 1)
      .flatMap(({ meta }) => meta.peers.slice(1));
    expect(counts(followers.map((peer) => peer.storeId))).toEqual([4, 4, 4]);
  });

  it('covers the key space without gap or overlap, with three peers on three stores and leaders level', () => {
    fc.assert(
      fc.property(storeIds, fc.integer({ min: 1, max: 100 }), (ids, regions) => {
        const layout = seedLayout({ storeIds: ids, regions });
        const metas = layout.map(({ meta }) => meta);
        expect([metas[0]!.startKey, metas.at(-1)!.endKey]).toEqual(['', '']);
        expect(metas.slice(1).map((meta) => meta.startKey)).toEqual(metas.slice(0, -1).map((meta) => meta.endKey));
        for (const meta of metas) expect(new Set(meta.peers.map((peer) => peer.storeId)).size).toBe(3);
        const allIds = metas.flatMap((meta) => [meta.id, ...meta.peers.map((peer) => peer.id)]);
        expect(new Set(allIds).size).toBe(allIds.length);
        const led = ids.map((id) => layout.filter((region) => region.firstLeader.storeId === id).length);
        expect(Math.max(...led) - Math.min(...led)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('gives a key of region i that region i holds and no other', () => {
    const layout = seedLayout({ storeIds: [1, 2, 3], regions: 24 });
    layout.forEach((_, index) => {
      const holders = layout.flatMap(({ meta }, other) => (holdsKey(meta, regionKey(index, '-probe')) ? [other] : []));
      expect(holders).toEqual([index]);
    });
  });

  it('has versions above the bootstrap region, so that PD lets it go', () => {
    for (const { meta } of seedLayout({ storeIds: [1, 2, 3], regions: 2 })) expect(meta.version).toBeGreaterThan(1);
  });

  it('refuses fewer stores than replicas', () => {
    expect(() => seedLayout({ storeIds: [1, 2], regions: 24 })).toThrow('2 stores cannot hold 3 replicas');
  });
});
