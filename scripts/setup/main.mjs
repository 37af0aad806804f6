import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireBuild } from './build.mjs';
import { SetupFailure } from './failure.mjs';
import { withSetupLock } from './lock.mjs';
import { requirePackages } from './packages.mjs';
import { endChildrenOnSignals } from './run.mjs';
import { createTeller } from './teller.mjs';
import { requireTemporal } from './temporal.mjs';
import { requireWritable } from './writable.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Runs the steps in order and ends with one line that sums up. On a failure prints its line and sets the exit code:
 * 2 for a wrong option, 1 for anything else.
 */
export async function main(args, { root = ROOT, env = process.env, tell = createTeller() } = {}) {
  endChildrenOnSignals();
  try {
    const { offline } = parse(args);
    requireWritable(root);
    await withSetupLock({ root, tell }, () => prepare({ root, env, offline, tell }));
  } catch (failure) {
    if (!(failure instanceof SetupFailure)) throw failure;
    tell.failure(failure.message);
    process.exitCode = failure.code === 'MEDIC_SETUP_USAGE' ? 2 : 1;
  }
}

async function prepare(context) {
  const startedMs = performance.now();
  await requirePackages(context);
  await requireBuild(context);
  const { version } = await requireTemporal(context);
  context.tell.step(`packages ok · build ok · temporal ${version} ok`, performance.now() - startedMs);
}

function parse(args) {
  const unknown = args.find((arg) => arg !== '--offline');
  if (unknown) throw new SetupFailure('MEDIC_SETUP_USAGE', `\`${unknown}\` is not an option of setup.`);
  return { offline: args.includes('--offline') };
}
