import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { instant } from '../../../src/domain/ids.js';
import type { Check } from '../../../src/domain/violation.js';
import { advance, type Findings, NOTHING_WATCHED, type WatchState } from '../../../src/domain/watching.js';

const GRACE = 3;
const CLEAR = 6;
const STORE_UP = 'tikv:store-up:tikv-2';

type Sample = 'good' | 'bad' | 'unknown';

function check(sample: Sample): Check {
  const broken = { target: 'tikv-2', severity: 'high', message: 'tikv-2 is Disconnected' } as const;
  return { invariant: 'store-up', known: sample !== 'unknown', broken: sample === 'bad' ? [broken] : [] };
}

function step(state: WatchState, checks: readonly Check[], index: number) {
  const at = instant(index * 1_000);
  return advance(state, checks, { subject: 'tikv', at, graceSamples: GRACE, clearSamples: CLEAR });
}

/** Findings after each sample. */
function watch(samples: readonly Sample[]): Findings[] {
  let state = NOTHING_WATCHED;
  return samples.map((sample, index) => {
    const next = step(state, [check(sample)], index);
    state = next.state;
    return next.findings;
  });
}

const last = (samples: readonly Sample[]): Findings => watch(samples).at(-1) as Findings;
const times = (count: number, sample: Sample): Sample[] => Array.from({ length: count }, () => sample);
const samples = fc.array(fc.constantFrom<Sample>('good', 'bad', 'unknown'), { minLength: 1, maxLength: 40 });

describe('the grace of a violation', () => {
  it('is suspect within its grace and active after it, since the first bad sample', () => {
    expect(last(times(2, 'bad'))).toEqual({ active: [], suspect: [STORE_UP], judged: [] });
    const { active, suspect } = last(['good', ...times(3, 'bad')]);
    expect(active).toMatchObject([{ fingerprint: STORE_UP, since: instant(1_000), message: 'tikv-2 is Disconnected' }]);
    expect(suspect).toEqual([]);
  });

  it('keeps an active violation suspect until it was clean for long enough', () => {
    const ill = times(3, 'bad');
    expect(last([...ill, ...times(CLEAR - 1, 'good')])).toMatchObject({ active: [], suspect: [STORE_UP] });
    expect(last([...ill, ...times(CLEAR, 'good')])).toEqual({ active: [], suspect: [], judged: ['store-up'] });
  });

  it('makes a violation that flickers before it was cleared active again at once', () => {
    expect(last([...times(3, 'bad'), 'good', 'bad']).active).toHaveLength(1);
  });

  it('asks for the whole grace again after a violation was cleared', () => {
    expect(last([...times(3, 'bad'), ...times(CLEAR, 'good'), 'bad', 'bad']).active).toEqual([]);
  });

  it('takes an invariant without a check as unknown', () => {
    const { state } = step(NOTHING_WATCHED, [check('bad')], 0);
    expect(step(state, [], 1).findings).toEqual({ active: [], suspect: [STORE_UP], judged: [] });
  });

  it('clears nothing about a target that could not be judged while others could', () => {
    let state = NOTHING_WATCHED;
    for (const [index, sample] of times(3, 'bad').entries()) state = step(state, [check(sample)], index).state;
    const blind: Check = { invariant: 'store-up', known: true, broken: [], unjudged: ['tikv-2'] };
    let findings: Findings | null = null;
    for (let index = 3; index < 20; index++) ({ state, findings } = step(state, [blind], index));
    expect(findings).toMatchObject({ active: [{ fingerprint: STORE_UP }], judged: [] });
  });
});

describe('every watch', () => {
  it('never files on an unknown sample', () => {
    fc.assert(
      fc.property(samples, (list) => {
        const found = watch(list);
        list.forEach((sample, index) => {
          const before = found[index - 1]?.active.length ?? 0;
          if (sample === 'unknown') expect(found[index]!.active).toHaveLength(before);
        });
      }),
    );
  });

  it('never clears on unknown samples, however many follow', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 30 }), (list, blind) => {
        const before = last(list);
        const after = last([...list, ...times(blind, 'unknown')]);
        expect([...after.active.map((v) => v.fingerprint), ...after.suspect]).toEqual([
          ...before.active.map((v) => v.fingerprint),
          ...before.suspect,
        ]);
        expect(after.judged).toEqual([]);
      }),
    );
  });

  it('never files what flaps faster than its grace', () => {
    const flap = fc.array(fc.tuple(fc.integer({ min: 1, max: GRACE - 1 }), fc.integer({ min: 1, max: 4 })));
    fc.assert(
      fc.property(flap, (turns) => {
        const list = turns.flatMap(([bad, good]) => [...times(bad, 'bad'), ...times(good, 'good')]);
        expect(watch(list).every(({ active }) => active.length === 0)).toBe(true);
      }),
    );
  });

  it('judges an invariant only after enough known samples in a row', () => {
    fc.assert(
      fc.property(samples, (list) => {
        const run = list.length - 1 - list.lastIndexOf('unknown');
        expect(last(list).judged.length === 1).toBe(run >= CLEAR);
      }),
    );
  });

  it('loses nothing when reports are lost: a desk that got only the last clean one agrees with one that got all', () => {
    fc.assert(
      fc.property(samples, fc.array(fc.boolean()), (list, lost) => {
        const settled = [...list, ...times(CLEAR + 1, list.at(-1) === 'bad' ? 'bad' : 'good')];
        const reports = watch(settled);
        const arrived = reports.filter((_, index) => index === reports.length - 1 || lost[index] !== true);
        expect(deskOf(arrived)).toEqual(deskOf(reports));
      }),
    );
  });
});

/** The desk's rule: what is active opens; what is judged, neither active nor suspect, closes. */
function deskOf(reports: readonly Findings[]): string[] {
  const open = new Set<string>();
  for (const { active, suspect, judged } of reports) {
    const now = new Set([...active.map((violation) => violation.fingerprint), ...suspect]);
    for (const { fingerprint } of active) open.add(fingerprint);
    for (const id of [...open]) if (!now.has(id) && judged.includes(id.split(':')[1]!)) open.delete(id);
  }
  return [...open].sort();
}
