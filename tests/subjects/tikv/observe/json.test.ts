import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseLossless } from '../../../../subjects/tikv/observe/json.js';

describe("PD's JSON", () => {
  it('keeps ids beyond 2^53 digit by digit and leaves other numbers numbers', () => {
    expect(parseLossless('{"member_id":11494573939828987730,"id":4,"score":3336.7583455028525,"big":1e21}')).toEqual({
      member_id: '11494573939828987730',
      id: 4,
      score: 3336.7583455028525,
      big: 1e21,
    });
  });

  it('keeps every unsigned 64-bit id', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
        expect(String(parseLossless(String(id)))).toBe(String(id));
      }),
    );
  });
});
