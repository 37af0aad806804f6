import { MedicError } from '../../../../src/domain/errors.js';
import { startLabd } from './labd.js';
import { parseLabdOptions } from './options.js';

/** The daemon: `main.js --dir LAB [--profile fast|real] [--stores N] [--detach] ...`; see `LabdOptions`. */
async function main(): Promise<void> {
  const options = parseLabdOptions(process.argv.slice(2));
  const askedToEnd = firstReasonToEnd(options.leash);
  const labd = await startLabd(options);
  await askedToEnd;
  await labd.end();
}

/** Listening begins before the first node starts, so that an early signal still ends every node. */
function firstReasonToEnd(leash: 'pipe' | 'none'): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve());
    if (leash === 'pipe') process.stdin.on('close', resolve).on('error', resolve).resume();
  });
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(
    error instanceof MedicError ? `${error.code}  ${error.message}. ${error.next}\n` : `${(error as Error).stack}\n`,
  );
  process.exit(error instanceof MedicError && error.code === 'MEDIC_USAGE' ? 2 : 1);
}
