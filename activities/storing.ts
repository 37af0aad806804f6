import { ApplicationFailure } from '@temporalio/common';
import { MedicError } from '../src/domain/errors.js';

/** What was stored. A full disk is told in words, see `fullDisk`. */
export async function storing<T>(stored: Promise<T>): Promise<T> {
  try {
    return await stored;
  } catch (error) {
    throw fullDisk(error) ?? error;
  }
}

/**
 * A full disk as a failure that is tried again: somebody may make room. Its message is all that people see of it, in a brief, a
 * log or the pending activity, so code and next step stand there. `null`: it is something else.
 */
export const fullDisk = (error: unknown): ApplicationFailure | null =>
  error instanceof MedicError && error.code === 'MEDIC_DISK_FULL'
    ? ApplicationFailure.create({ type: error.code, message: `${error.code}  ${error.message}. ${error.next}` })
    : null;
