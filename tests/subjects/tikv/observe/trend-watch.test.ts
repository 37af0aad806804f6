import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { instant } from '../../../../src/domain/ids.js';
import { createTrendWatch } from '../../../../subjects/tikv/observe/trend-watch.js';
import type { PdStore, Trends, Vitals } from '../../../../subjects/tikv/picture.js';
import { fact, healthy, leadership, nothing, pdStore, REFUSED, withStore } from '../pictures.js';

const WINDOW_MS = 60_000;

/** Shows a watch one picture per second. */
function watching() {
  const trendsOf = createTrendWatch(WINDOW_MS);
  let second = 0;
  const look = (vitals: Pick<Vitals, 'leadership' | 'stores'> = healthy().vitals): Trends => {
    second += 1;
    return trendsOf({ ...vitals, at: instant(second * 1_000) });
  };
  return { look, at: () => instant(second * 1_000) };
}

const saying = (changes: Partial<PdStore>) => withStore(healthy(), 'tikv-0', { pd: pdStore('1', changes) }).vitals;
const finding = (score: number) => saying({ networkSlowScores: score > 1 ? { 'tikv-2': score } : {} });

/** Those that stand. */
const rises = (trends: Trends) =>
  trends.rises.known ? trends.rises.value.filter(({ fellAt }) => fellAt === null) : null;

describe('rises of scores', () => {
  it('are not known at the first look, and what was high then is a leftover', () => {
    const { look } = watching();
    expect(look(finding(90)).rises).toMatchObject({ known: false, reason: expect.stringContaining('only once') });
    expect(rises(look(finding(90)))).toEqual([]);
    expect(rises(look(finding(88)))).toEqual([]);
  });

  it('are told with what they rose from, and stand while the score does', () => {
    const { look, at } = watching();
    look();
    look();
    const rise = { kind: 'network', reporter: 'tikv-0', about: 'tikv-2', from: 1, since: instant(3_000), fellAt: null };
    expect(rises(look(finding(99)))).toEqual([{ ...rise, to: 99 }]);
    expect(at()).toBe(rise.since);
    expect(rises(look(finding(97)))).toEqual([{ ...rise, to: 97 }]);
  });

  it('end when the score decays, and begin anew from there', () => {
    const { look } = watching();
    look();
    look(finding(99));
    expect(rises(look(finding(94)))).toEqual([]);
    expect(rises(look(finding(60)))).toEqual([]);
    expect(rises(look(finding(80)))).toMatchObject([{ from: 60, to: 80 }]);
  });

  it('are told for one window after they fell', () => {
    const { look, at } = watching();
    look();
    look(finding(99));
    look(finding(90));
    const fellAt = at();
    for (let second = 4; second <= 63; second++)
      expect(look(finding(90)).rises).toMatchObject({ value: [{ about: 'tikv-2', from: 99, to: 90, fellAt }] });
    expect(look(finding(90)).rises).toMatchObject({ value: [] });
  });

  it('end when the reporter tells a score no more: PD leaves 1 out', () => {
    const { look } = watching();
    look();
    look(finding(99));
    expect(rises(look(finding(1)))).toEqual([]);
  });

  it('stay as they were while a new PD leader has not heard of the store: then PD has no slow_score of it', () => {
    const { look } = watching();
    look();
    const both = { slowScore: 8, networkSlowScores: { 'tikv-2': 40 } };
    expect(rises(look(saying(both)))).toHaveLength(2);
    expect(rises(look(saying({ slowScore: null })))).toHaveLength(2);
    expect(rises(look(saying(both)))).toMatchObject([{ since: instant(2_000) }, { since: instant(2_000) }]);
  });

  it('are a gap while PD tells nothing', () => {
    const { look } = watching();
    look();
    const stores = healthy().vitals.stores.map((store) => ({ ...store, pd: nothing }));
    expect(look({ ...healthy().vitals, stores }).rises.known).toBe(false);
  });

  it('never come out of scores that only fall', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 100 }), { minLength: 2 }), (scores) => {
        const { look } = watching();
        const falling = [...scores].sort((a, b) => b - a);
        return falling.every((score) => (rises(look(finding(score))) ?? []).length === 0);
      }),
    );
  });
});

describe('leader counts as watched', () => {
  const counting = (leaders: number, reign = leadership()) => ({ ...saying({ leaders }), leadership: reign });
  const most = ({ mostLeaders }: Trends) => (mostLeaders.known ? mostLeaders.value['tikv-0'] : null);

  it('remember the most of the last region heartbeat, and no longer', () => {
    const { look } = watching();
    look(counting(9));
    expect(most(look(counting(0)))).toBe(9);
    for (let second = 3; second <= 61; second++) expect(most(look(counting(0)))).toBe(9);
    expect(most(look(counting(0)))).toBe(0);
  });

  it('are forgotten when PD changes its leader, whose counts begin with nothing', () => {
    const { look } = watching();
    look(counting(9));
    expect(most(look(counting(0, leadership({ leader: 'pd-2', seenSince: instant(2_000) }))))).toBe(0);
  });
});

describe('a deaf status port', () => {
  it('is deaf since the first look without an answer, until it answers', () => {
    const { look } = watching();
    const deaf = withStore(healthy(), 'tikv-0', { reach: REFUSED }).vitals;
    look();
    look(deaf);
    expect(look(deaf).deafSince).toEqual({ 'tikv-0': instant(2_000) });
    expect(look(withStore(healthy(), 'tikv-0', { reach: nothing }).vitals).deafSince).toHaveProperty('tikv-0');
    expect(look({ ...healthy().vitals, leadership: fact({ ...leadership().value }) }).deafSince).toEqual({});
  });
});
