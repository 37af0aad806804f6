import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { closest, editDistance } from '../../../src/config/closest.js';

describe('the word that was meant', () => {
  it.each([
    ['autonmy', 'autonomy'],
    ['enviroment', 'environment'],
    ['verison', 'version'],
    ['Autonomy', 'autonomy'],
    ['pre-approved', 'preApproved'],
  ])('for %s is %s', (word, meant) => {
    expect(closest(word, ['version', 'environment', 'autonomy', 'preApproved'])).toBe(meant);
  });

  it('is nobody knows what when nothing is near', () => {
    expect(closest('colour', ['version', 'autonomy'])).toBeNull();
    expect(closest('x', [])).toBeNull();
  });
});

describe('the distance of two words', () => {
  it('counts a letter that is wrong, missing, added or swapped as one', () => {
    expect(['tikv', 'tkv', 'ttikv', 'tkiv', 'titv'].map((word) => editDistance('tikv', word))).toEqual([0, 1, 1, 1, 1]);
  });

  it('is the same both ways, 0 only for equal words, and at most the longer length', () => {
    const word = fc.stringMatching(/^[abc]{0,8}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      }),
    );
  });
});
