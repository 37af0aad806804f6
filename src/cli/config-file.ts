import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadMedic } from '../config/medic.js';
import { MedicError } from '../domain/errors.js';

const DEFAULT = 'medic.yaml';

/**
 * The absolute path of the medic.yaml in force; `null`: none was asked for and none is here.
 *
 * @throws MedicError `MEDIC_CONFIG_UNREADABLE` when the one that was asked for is not there
 */
export function configFile(asked: string | undefined): string | null {
  const path = resolve(asked ?? DEFAULT);
  if (existsSync(path)) return path;
  if (asked === undefined) return null;
  throw new MedicError('MEDIC_CONFIG_UNREADABLE', `${path}  there is no such file`);
}

/** As {@link configFile}, and a file with mistakes is refused now rather than at the first incident. */
export async function checkedConfig(asked: string | undefined): Promise<string | null> {
  const path = configFile(asked);
  await loadMedic(path);
  return path;
}
