import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { microsOf, priceAt, worstCaseMicros } from '../../../../src/reasoner/claude/prices.js';

const TABLE = {
  sonnet: [
    { from: '2026-01-01', input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 },
    { from: '2026-10-07', input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 },
  ],
};
const at = (day: string) => priceAt(TABLE, 'sonnet', Date.parse(day));

describe('prices', () => {
  it('hold from their day on, in UTC, and not before the first one', () => {
    expect(at('2026-10-06T23:59:59.999Z')?.cacheRead).toBe(0.2);
    expect(at('2026-10-07T00:00:00.000Z')?.cacheRead).toBe(0.1);
    expect(at('2025-12-31T23:00:00Z')).toBeNull();
    expect(priceAt(TABLE, 'opus', Date.parse('2026-11-01'))).toBeNull();
  });

  it('make millionths of a dollar, rounded up, without the dust of floating point', () => {
    const price = TABLE.sonnet[1] as (typeof TABLE.sonnet)[number];
    expect(microsOf({ input: 0, output: 0, cacheRead: 3, cacheWrite: 0 }, price)).toBe(1);
    expect(microsOf({ input: 0, output: 0, cacheRead: 30, cacheWrite: 0 }, price)).toBe(3);
    expect(microsOf({ input: 1_000_000, output: 100_000, cacheRead: 0, cacheWrite: 0 }, price)).toBe(3_000_000);
  });

  it('reserve at least what any call within its bytes and its longest answer can cost', () => {
    fc.assert(
      fc.property(
        fc.record({
          requestBytes: fc.nat(2_000_000),
          maxTokens: fc.nat(64_000),
          shares: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
          output: fc.nat(100),
          price: fc.record({
            from: fc.constant('2026-01-01'),
            input: fc.double({ min: 0, max: 30, noNaN: true }),
            output: fc.double({ min: 0, max: 100, noNaN: true }),
          }),
        }),
        ({ requestBytes, maxTokens, shares, output, price }) => {
          const whole = { ...price, cacheWrite: price.input * 1.25, cacheRead: price.input * 0.1 };
          const total = Math.max(1, shares[0] + shares[1] + shares[2]);
          const part = (share: number) => Math.floor((requestBytes * share) / total);
          const tokens = {
            input: part(shares[0]),
            cacheRead: part(shares[1]),
            cacheWrite: part(shares[2]),
            output: Math.floor((maxTokens * output) / 100),
          };
          expect(microsOf(tokens, whole)).toBeLessThanOrEqual(worstCaseMicros({ requestBytes, maxTokens }, whole));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
