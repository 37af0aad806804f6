import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFailure } from './failure.mjs';
import { run } from './run.mjs';

/** Makes node_modules what package-lock.json says; `npm ci` only if it is not so yet. Throws MEDIC_SETUP_PACKAGES. */
export async function requirePackages({ root, env, offline, tell }) {
  if (packagesAgree(root)) return;
  const startedMs = performance.now();
  tell.note(
    offline ? 'installing packages from the npm cache (offline)' : 'installing packages from package-lock.json',
  );
  const { code, output } = await run('npm', npmArguments(offline), { cwd: root, env });
  if (code !== 0) {
    tell.detail(output);
    throw new SetupFailure('MEDIC_SETUP_PACKAGES', `npm ci ended with ${code}.`);
  }
  tell.step('packages installed', performance.now() - startedMs);
}

// The checks, the tests and the SDK's download are development packages, so NODE_ENV=production must not leave them out.
function npmArguments(offline) {
  return ['ci', '--include=dev', '--no-audit', '--no-fund', ...(offline ? ['--offline'] : [])];
}

/**
 * Does node_modules hold every package of the lock file, at its version and hash? Asks the lock file that npm leaves inside
 * node_modules when an install is complete; optional packages of other platforms are not in it.
 */
export function packagesAgree(root) {
  const locked = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!locked || !installed) return false;
  return Object.entries(locked)
    .filter(([path]) => path !== '')
    .every(([path, entry]) => samePackage(installed[path], entry));
}

function samePackage(installed, locked) {
  if (!installed) return Boolean(locked.optional);
  return installed.version === locked.version && installed.integrity === locked.integrity;
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
