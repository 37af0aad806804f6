import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fixtureRoot, node } from './fixture-root.js';

const MAIN = { 'dist/src/cli/main.js': 'console.log("verb", ...process.argv.slice(2));\n' };

describe('./medic', () => {
  it('runs the built command line with its arguments', async () => {
    expect(await medic(MAIN, ['show', '42', '--json'])).toEqual({
      code: 0,
      stdout: 'verb show 42 --json\n',
      stderr: '',
    });
  });

  it('says what to do if nothing is built', async () => {
    expect(await medic({}, ['show'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'MEDIC_BUILD_MISSING  Medic is not built in this checkout. Run `npm run setup` and try again.\n',
    });
  });
});

function medic(files: Record<string, string>, args: readonly string[]) {
  const root = fixtureRoot(files);
  cpSync('medic', join(root, 'medic'));
  return node(['medic', ...args], { cwd: root });
}
