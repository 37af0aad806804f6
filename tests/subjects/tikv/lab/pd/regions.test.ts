import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RegionCache, reportedShare } from '../../../../../subjects/tikv/lab/pd/regions.js';
import { report } from './samples.js';

const whole = report({ id: 1, range: ['', ''], version: 5, confVer: 3, term: 6 });

function cacheWith(...reports: Parameters<RegionCache['accept']>[0][]): RegionCache {
  const cache = new RegionCache();
  for (const each of reports) expect(cache.accept(each).accepted).toBe(true);
  return cache;
}

describe("PD's region cache", () => {
  it.each([
    ['an older version', { version: 4, confVer: 3, term: 7 }],
    ['an older conf_ver', { version: 5, confVer: 2, term: 7 }],
    ['an older term', { version: 5, confVer: 3, term: 5 }],
  ])('refuses %s as stale', (_, older) => {
    const cache = cacheWith(whole);
    const answer = cache.accept(report({ id: 1, range: ['', ''], ...older }));
    expect(answer).toMatchObject({
      accepted: false,
      stale: expect.stringMatching(/^region is stale: region id:1 .* origin id:1 /),
    });
    expect(cache.get(1)?.term).toBe(6);
  });

  it('skips the term check for a sender that does not say its term', () => {
    expect(cacheWith(whole).accept({ ...whole, term: 0 }).accepted).toBe(true);
  });

  it('lets the last of two claimants with equal epochs win', () => {
    const cache = cacheWith(whole);
    const other = { ...whole, leader: whole.region.peers[1] ?? null };
    expect(cache.accept(other)).toEqual({ accepted: true, moved: true });
    expect(cache.get(1)?.leader?.storeId).toBe(2);
  });

  it('drops what a newer range overlaps, and refuses an older one', () => {
    const cache = cacheWith(whole, report({ id: 2, range: ['40', '80'], version: 6 }));
    expect(cache.get(1)).toBeUndefined();
    expect(cache.accept(whole)).toMatchObject({ accepted: false, stale: expect.stringContaining('origin id:2 ') });
  });

  it('keeps the size when a leader does not know it', () => {
    const cache = cacheWith(whole, { ...whole, approximateSize: 0 });
    expect(cache.get(1)?.approximateSize).toBe(10);
  });

  it('counts a region as moved for range, peers and leader, not for flow', () => {
    const cache = cacheWith(whole);
    expect(cache.accept({ ...whole, writtenBytes: 9 })).toEqual({ accepted: true, moved: false });
    expect(cache.accept({ ...whole, leader: whole.region.peers[2] ?? null })).toEqual({ accepted: true, moved: true });
  });

  it('finds regions by key and by range', () => {
    const cache = cacheWith(
      report({ id: 1, range: ['', '40'], version: 2 }),
      report({ id: 2, range: ['40', '80'], version: 2 }),
      report({ id: 3, range: ['80', ''], version: 2 }),
    );
    expect(cache.at('40')?.region.id).toBe(2);
    expect(cache.at('FF')?.region.id).toBe(3);
    const ids = (range: Parameters<RegionCache['scan']>[0]) => cache.scan(range).map(({ region }) => region.id);
    expect(ids({ startKey: '7F', endKey: '', limit: 0 })).toEqual([2, 3]);
    expect(ids({ startKey: '', endKey: '', limit: 2 })).toEqual([1, 2]);
    expect(ids({ startKey: '', endKey: '40', limit: 0 })).toEqual([1]);
  });

  it('knows regions from disk without leader, so a cold PD waits for reports', () => {
    const cache = new RegionCache();
    const [left, right] = [
      report({ id: 1, range: ['', '40'], version: 2 }),
      report({ id: 2, range: ['40', ''], version: 2 }),
    ];
    cache.load([left.region, right.region]);
    expect([cache.get(1)?.leader, reportedShare(cache)]).toEqual([null, 0]);
    cache.accept(left);
    expect(reportedShare(cache)).toBe(0.5);
  });

  it('never holds two regions that overlap, nor an older epoch than before', () => {
    const key = fc.nat(15).map((n) => n.toString(16).toUpperCase().padStart(2, '0'));
    const anyReport = fc
      .tuple(fc.integer({ min: 1, max: 5 }), key, key, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3 }))
      .filter(([, start, end]) => start < end)
      .map(([id, start, end, version, confVer]) => report({ id, range: [start, end], version, confVer }));
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 30 }), (reports) => {
        const cache = new RegionCache();
        for (const each of reports) {
          const before = cache.get(each.region.id)?.region.epoch;
          const { accepted } = cache.accept(each);
          if (accepted && before) expect(each.region.epoch.version).toBeGreaterThanOrEqual(before.version);
          const all = cache.all().map(({ region }) => region);
          for (const [index, region] of all.entries()) {
            const next = all[index + 1];
            if (next) expect(region.endKey <= next.startKey).toBe(true);
          }
        }
      }),
    );
  });
});
