import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFailure } from './failure.mjs';

/** Throws MEDIC_SETUP_NOT_WRITABLE unless files can be made in the checkout. Tries it: permission bits alone do not tell (read-only mounts, full disks). */
export function requireWritable(root) {
  for (const folder of [root, join(root, '.cache')]) {
    const probe = join(folder, `.write-probe-${process.pid}`);
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(probe, '');
      rmSync(probe);
    } catch (error) {
      throw new SetupFailure('MEDIC_SETUP_NOT_WRITABLE', `cannot write in ${folder} (${error.code}).`);
    }
  }
}
