import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { minimise } from '../../../bench/raft/shrink.js';

describe('minimise', () => {
  it('leaves exactly what is needed when every needed thing is needed by itself', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500), { minLength: 1 }), fc.infiniteStream(fc.boolean()), (items, coins) => {
        const needed = items.filter(() => coins.next().value);
        const fails = (some: number[]) => needed.every((item) => some.includes(item));
        expect(minimise({ items, fails, maxRuns: 100_000 }).items).toEqual(needed);
      }),
    );
  });

  it('ends with something that fails, and of which no single thing can be left out, whatever failing means', () => {
    const masks = fc.array(fc.array(fc.nat(12), { maxLength: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(masks, (ways) => {
        const items = Array.from({ length: 13 }, (_, at) => at);
        const fails = (some: number[]) => ways.some((way) => way.every((item) => some.includes(item)));
        const { items: kept } = minimise({ items, fails, maxRuns: 100_000 });
        expect(fails(kept)).toBe(true);
        for (const item of kept) expect(fails(kept.filter((other) => other !== item))).toBe(false);
      }),
    );
  });

  it('asks no more often than it may, and gives what it has then', () => {
    const items = Array.from({ length: 100 }, (_, at) => at);
    let asked = 0;
    const fails = (some: number[]) => {
      asked += 1;
      return some.includes(7) && some.includes(93);
    };
    const { items: kept, runs } = minimise({ items, fails, maxRuns: 10 });
    expect([asked, runs]).toEqual([10, 10]);
    expect(kept).toEqual(expect.arrayContaining([7, 93]));
  });
});
