import { describe, expect, it } from '@jest/globals';
import { FAILURES, SetupFailure } from '../../../scripts/setup/failure.mjs';
import { ERRORS } from '../../../src/domain/errors.js';

describe('the failures of setup', () => {
  it('have codes that no other error of Medic uses', () => {
    const shared = Object.keys(FAILURES).filter((code) => code in ERRORS);
    expect(shared).toEqual([]);
  });

  it('have codes that say they come from setup', () => {
    for (const code of Object.keys(FAILURES)) expect(code).toMatch(/^MEDIC_SETUP_[A-Z_]+$/);
  });

  it('read as one line: code, problem, next step', () => {
    const failure = new SetupFailure('MEDIC_SETUP_USAGE', '`-x` is not an option of setup.', undefined);
    expect(failure.message).toBe(
      'MEDIC_SETUP_USAGE  `-x` is not an option of setup. Usage: node scripts/setup.mjs [--offline].',
    );
  });
});
