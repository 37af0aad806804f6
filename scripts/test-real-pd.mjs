/**
 * The lab's stores against a real PD: `PD_SERVER=/path/to/pd-server npm run test:real-pd`. Without PD_SERVER nothing is run, and it
 * says so; that counts as nothing, least of all as passed. Arguments go to jest.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const program = process.env.PD_SERVER ?? '';

if (program === '') {
  console.log(
    'NOT RUN: PD_SERVER is not set, so nothing was tested against a real PD.\n' +
      'Give the path of a pd-server (v8.5): PD_SERVER=/path/to/pd-server npm run test:real-pd',
  );
} else if (!isExecutable(program)) {
  console.error(`PD_SERVER is ${program}, which is no program that can be run here. Nothing was tested.`);
  process.exitCode = 2;
} else {
  console.log(`PD under test: ${program}`);
  const args = [
    join(root, 'scripts/test.mjs'),
    '--runInBand',
    '--testPathPatterns',
    'tests/real-pd/',
    ...process.argv.slice(2),
  ];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
