import { join, resolve } from 'node:path';
import { MedicError } from '../domain/errors.js';
import { readInstance } from '../runtime/process/instance.js';

/** The lab of a home: that of its running instance, else the one that `medic lab up` makes there. */
export function labDirOf(home: string): string {
  try {
    return readInstance({ home }).labDir ?? standaloneLabDir(home);
  } catch (error) {
    if (error instanceof MedicError) return standaloneLabDir(home);
    throw error;
  }
}

export const standaloneLabDir = (home: string): string => join(resolve(home), 'lab');
