import { describe, expect, it } from '@jest/globals';
import { packagesAgree } from '../../../scripts/setup/packages.mjs';
import { fixtureRoot } from '../fixture-root.js';

const LEFT = { version: '1.0.0', integrity: 'sha512-left' };

describe('node_modules agrees with the lock file', () => {
  it.each([
    ['if every package is there at its version and hash', { left: LEFT }, { left: LEFT }, true],
    [
      'even if an optional package is not there',
      { left: LEFT, mac: { ...LEFT, optional: true } },
      { left: LEFT },
      true,
    ],
    ['not if a package is missing', { left: LEFT, right: LEFT }, { left: LEFT }, false],
    ['not if a version differs', { left: LEFT }, { left: { ...LEFT, version: '1.0.1' } }, false],
    ['not if a hash differs', { left: LEFT }, { left: { ...LEFT, integrity: 'sha512-other' } }, false],
    [
      'not if an optional package is there in another version',
      { left: { ...LEFT, optional: true } },
      { left: { ...LEFT, version: '2.0.0' } },
      false,
    ],
  ])('%s', (_title, locked, installed, agrees) => {
    const root = fixtureRoot({
      'package-lock.json': JSON.stringify({ packages: { '': {}, ...locked } }),
      'node_modules/.package-lock.json': JSON.stringify({ packages: installed }),
    });
    expect(packagesAgree(root)).toBe(agrees);
  });

  it('not after an install that was interrupted and left no record', () => {
    const root = fixtureRoot({ 'node_modules/left/package.json': '{}' });
    expect(packagesAgree(root)).toBe(false);
  });
});
