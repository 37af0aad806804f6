import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MedicError } from '../../domain/errors.js';
import { packageRoot } from '../package-root.js';

/**
 * Path of the Temporal CLI: `TEMPORAL_CLI_PATH`, else the one that setup found or fetched and wrote down.
 *
 * @throws MedicError `MEDIC_TEMPORAL_CLI_MISSING`
 */
export function temporalCli({ env = process.env, root = packageRoot() } = {}): string {
  const path = env.TEMPORAL_CLI_PATH || recorded(join(root, '.cache', 'temporal', 'cli.json'));
  if (path && existsSync(path)) return path;
  const found = path ? `there is nothing at ${path}` : 'setup has not provided one';
  throw new MedicError('MEDIC_TEMPORAL_CLI_MISSING', `no Temporal CLI: ${found}`, 'Run `npm run setup`.');
}

function recorded(file: string): string | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { path: string }).path : undefined;
}
