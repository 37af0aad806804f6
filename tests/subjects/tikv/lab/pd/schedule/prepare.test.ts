import { describe, expect, it } from '@jest/globals';
import { bareReport } from '../../../../../../subjects/tikv/lab/pd/model.js';
import { RegionCache } from '../../../../../../subjects/tikv/lab/pd/regions.js';
import { knowsEnough } from '../../../../../../subjects/tikv/lab/pd/schedule/prepare.js';
import { report } from '../samples.js';

const COLD = { ledForMs: 0, coldStartMs: 300_000 };

/** Ten regions side by side; `reported` of them were reported by a leader, the others are known from disk. */
function cacheOf({ reported, known = 10 }: { reported: number; known?: number }): RegionCache {
  const cache = new RegionCache();
  for (let at = 0; at < known; at += 1) {
    const key = (index: number) => (index % 10 === 0 ? '' : `0${index}`);
    const one = report({ id: 100 + at, range: [key(at), key(at + 1)], version: 1 });
    cache.accept(at < reported ? one : bareReport(one.region));
  }
  return cache;
}

describe('a leader that starts cold', () => {
  it('knows enough once 8 of 10 regions have reported', () => {
    expect(knowsEnough(cacheOf({ reported: 7 }), COLD)).toBe(false);
    expect(knowsEnough(cacheOf({ reported: 8 }), COLD)).toBe(true);
  });

  it('does not while there are keys of which it knows no region: at its birth a lab has none on disk', () => {
    expect(knowsEnough(cacheOf({ reported: 9, known: 9 }), COLD)).toBe(false);
  });

  it('does with what it knows after 5 minutes', () => {
    expect(knowsEnough(cacheOf({ reported: 0 }), { ...COLD, ledForMs: 299_999 })).toBe(false);
    expect(knowsEnough(cacheOf({ reported: 0 }), { ...COLD, ledForMs: 300_000 })).toBe(true);
  });
});

describe('80 % of all regions', () => {
  it('are not enough while one store lacks more of its own', () => {
    const cache = cacheOf({ reported: 9 });
    const lonely = report({ id: 109, range: ['09', ''], version: 1, on: [7] });
    cache.forget(109);
    cache.load([lonely.region]);
    expect(knowsEnough(cache, COLD)).toBe(false);
    cache.accept(lonely);
    expect(knowsEnough(cache, COLD)).toBe(true);
  });
});
