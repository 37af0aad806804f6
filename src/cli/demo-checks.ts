import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { faultNamed } from '../../chaos/faults.js';
import { MedicError } from '../domain/errors.js';

/**
 * What can be told before half a minute of work is begun.
 *
 * @throws MedicError `MEDIC_CHAOS_UNKNOWN_FAULT`, `MEDIC_SUMMARY_UNWRITABLE`
 */
export function checkDemo({ fault, summary }: { readonly fault: string; readonly summary?: string }): void {
  faultNamed(fault);
  if (summary !== undefined) checkWritable(summary);
}

/** Opens it for writing, because rights alone do not tell (a full or read-only disk, a folder that is missing). */
function checkWritable(file: string): void {
  const existed = existsSync(file);
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new MedicError('MEDIC_SUMMARY_UNWRITABLE', `cannot write ${file} (${code})`);
  }
  if (!existed) rmSync(file);
}
