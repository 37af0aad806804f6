/**
 * Counts of one jest run. A test file that could not be loaded has no tests of its own, so it counts as one failure; so does a
 * run that left no report.
 */
export function countTests(report) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The last line of a run, which tools read. */
export function countsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Something passed and nothing failed. */
export function isGreen({ passed, failed }) {
  return passed > 0 && failed === 0;
}

/** The counts of several runs as one. */
export function sumOf(all) {
  const add = (name) => all.reduce((sum, counts) => sum + counts[name], 0);
  return { passed: add('passed'), failed: add('failed'), skipped: add('skipped') };
}
