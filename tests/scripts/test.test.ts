import { describe, expect, it, jest } from '@jest/globals';
import { countsLine, countTests, isGreen } from '../../scripts/test/counts.mjs';
import { fixtureRoot, linkPackages, node } from './fixture-root.js';

// A tool runs for real in every case, and the machine may be busy.
jest.setTimeout(120_000);

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

/** Fails unless it and its session, where Linux weighs sessions, run at a lower priority. */
const COMPUTING_TEST = `import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
const session = '/proc/self/autogroup';
const words = existsSync(session) ? readFileSync(session, 'utf8').trim() : 'nice 10';
test('computing', () => { expect([getPriority(), words]).toEqual([10, expect.stringMatching(/nice 10$/)]); });
`;

describe('a run of the tests', () => {
  const TESTS = {
    'jest.config.mjs': 'export default { testMatch: ["**/*.test.mjs"], testEnvironment: "node" };\n',
    'tests/activities/good.test.mjs': 'test("good", () => {});\ntest.skip("later", () => {});\n',
    'tests/activities/bad.test.mjs': 'test("bad", () => { throw new Error("bad"); });\n',
    'tests/activities/broken.test.mjs': 'import "./nowhere.mjs";\n',
    'tests/e2e/live.test.mjs': 'test("live", () => {});\n',
    'tests/src/domain/computing.test.mjs': COMPUTING_TEST,
  };

  it('runs the live tests by themselves, beside them all the rest at a lower priority, ends with the counts of all alone on the last line, and fails if a test or a file did', async () => {
    const { code, stdout, stderr } = await run();
    expect(stdout).toBe('3 passed, 2 failed, 1 skipped\n');
    expect(stderr).toContain('● bad');
    expect(code).toBe(1);
  });

  it('hands its arguments to jest, and is green if all of those passed', async () => {
    expect(await run('tests/activities/good')).toMatchObject({ code: 0, stdout: '1 passed, 0 failed, 1 skipped\n' });
  });

  it('fails if there was nothing to run', async () => {
    expect(await run('tests/nothing')).toMatchObject({ code: 1, stdout: '0 passed, 1 failed, 0 skipped\n' });
    expect(await run('--passWithNoTests', 'tests/nothing')).toMatchObject({ code: 1 });
  });

  function run(...args: string[]) {
    const root = fixtureRoot(TESTS);
    linkPackages(root);
    return node(['scripts/test.mjs', ...args], { cwd: root });
  }
});
