import { describe, expect, it } from '@jest/globals';
import { countsLine, countTests, isGreen } from '../../scripts/test/counts.mjs';

const REPORT = {
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  numRuntimeErrorTestSuites: 0,
};

describe('the last line of a test run', () => {
  it('counts tests that were skipped and those still to be written together', () => {
    expect(countsLine(countTests(REPORT))).toBe('7 passed, 0 failed, 2 skipped');
  });

  it('counts a file that could not be loaded as a failure', () => {
    const counts = countTests({ ...REPORT, numRuntimeErrorTestSuites: 1 });
    expect(countsLine(counts)).toBe('7 passed, 1 failed, 2 skipped');
    expect(isGreen(counts)).toBe(false);
  });

  it('is not green if nothing ran', () => {
    expect(isGreen(countTests({ ...REPORT, numPassedTests: 0 }))).toBe(false);
  });

  it('shows a failure if jest left no report', () => {
    expect(countsLine(countTests(undefined))).toBe('0 passed, 1 failed, 0 skipped');
  });
});
