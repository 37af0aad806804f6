import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSlowScore } from '../../../../../subjects/tikv/lab/store/slow-score.js';

const round = fc.record({ slow: fc.integer({ min: 0, max: 5 }), extra: fc.integer({ min: 0, max: 5 }) });

describe('the slow score', () => {
  it('doubles each second of a frozen neighbour and reaches 100 in seven', () => {
    const score = createSlowScore({ recoveryMs: 600_000 });
    const seen = Array.from({ length: 7 }, () => {
      score.endRound({ slow: 1, total: 1, elapsedMs: 1_000 });
      return score.value;
    });
    expect(seen).toEqual([2, 4, 8, 16, 32, 64, 100]);
  });

  it('falls by 1.7 in ten seconds and needs ten minutes to heal', () => {
    const score = createSlowScore({ recoveryMs: 600_000 });
    for (let i = 0; i < 10; i += 1) score.endRound({ slow: 1, total: 1, elapsedMs: 1_000 });
    score.endRound({ slow: 0, total: 10, elapsedMs: 10_000 });
    expect(score.value).toBe(98);
    score.endRound({ slow: 0, total: 580, elapsedMs: 580_000 });
    expect(score.value).toBe(2);
  });

  it('grows less when fewer than a tenth of the probes were slow', () => {
    const score = createSlowScore({ recoveryMs: 600_000 });
    for (let i = 0; i < 2; i += 1) score.endRound({ slow: 1, total: 20, elapsedMs: 1_000 });
    expect(score.value).toBe(2);
  });

  it('stays between 1 and 100 whatever happens', () => {
    fc.assert(
      fc.property(fc.array(round), (rounds) => {
        const score = createSlowScore({ recoveryMs: 60_000 });
        for (const { slow, extra } of rounds) {
          score.endRound({ slow, total: slow + extra, elapsedMs: 1_000 });
          expect(score.value).toBeGreaterThanOrEqual(1);
          expect(score.value).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
