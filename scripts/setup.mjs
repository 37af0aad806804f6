/**
 * Makes this checkout ready to run: packages, build, Temporal CLI. Does only what is missing; `--offline` never uses the network.
 *
 * Plain Node without dependencies. This first file uses nothing that an old Node lacks, so that an old Node gets
 * one line to read instead of a syntax error; the steps are loaded after the check.
 */
import { requireNode } from './setup/node-version.mjs';

try {
  requireNode(process.versions.node);
  import('./setup/main.mjs').then(({ main }) => main(process.argv.slice(2)));
} catch (failure) {
  console.error(failure.message);
  process.exitCode = 1;
}
