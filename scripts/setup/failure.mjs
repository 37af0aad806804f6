/** What may go wrong in setup, each with the step that helps. Kept apart from src/domain/errors.ts: setup runs before anything is built. */
export const FAILURES = {
  MEDIC_SETUP_NODE: 'Install Node 20 LTS or newer and run this again.',
  MEDIC_SETUP_USAGE: 'Usage: node scripts/setup.mjs [--offline].',
  MEDIC_SETUP_NOT_WRITABLE: 'Give your user write permission there, or use a checkout that you own.',
  MEDIC_SETUP_PACKAGES:
    'Read the lines of npm above, check the network or the npm registry setting, and run this again.',
  MEDIC_SETUP_BUILD: 'Fix what is listed above and run this again.',
  MEDIC_SETUP_TEMPORAL:
    'Set TEMPORAL_CLI_PATH to a Temporal CLI binary, or put `temporal` on PATH, and run this again.',
};

/** One line: the code, what is wrong, what to do next. `code` is a key of {@link FAILURES}. */
export class SetupFailure extends Error {
  constructor(code, problem, next) {
    super(`${code}  ${problem} ${next || FAILURES[code]}`);
    this.code = code;
  }
}
