import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, MedicError } from '../../domain/errors.js';

/*
 * Why a worker refused to start, for the parent that sees only its exit code. A file, because the worker's output is its
 * log.
 */

const fileIn = (stateDir: string): string => join(stateDir, 'worker-error.json');

/** Leaves the error for the parent and lets it go on to end the process. */
export function leaveStartError(stateDir: string, error: unknown): never {
  if (error instanceof MedicError) {
    const { code, message, next } = error;
    writeFileSync(fileIn(stateDir), JSON.stringify({ code, message, next }), { mode: 0o600 });
  }
  throw error;
}

/** What the last worker left; `null`: nothing. */
export function startErrorIn(stateDir: string): MedicError | null {
  try {
    const left = JSON.parse(readFileSync(fileIn(stateDir), 'utf8')) as Record<'code' | 'message' | 'next', string>;
    return new MedicError(left.code as ErrorCode, left.message, left.next);
  } catch {
    return null;
  }
}

/** Before a worker is started, so that an old refusal is not taken for a new one. */
export const forgetStartError = (stateDir: string): void => rmSync(fileIn(stateDir), { force: true });
