import type { Attempt } from '../../src/reasoner/reasoner.js';

/** The first try of a turn, with nothing behind it. */
export const firstAttempt = (changes: Partial<Attempt> = {}): Attempt => ({
  run: 'run-1',
  number: 1,
  calls: [],
  failures: [],
  ...changes,
});
