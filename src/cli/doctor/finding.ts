import { MedicError } from '../../domain/errors.js';

/** One line of the table. `unreachable` makes the exit code 4, `fix` 3. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'fix' | 'unreachable' | 'not running';
  /** What was seen, and for `fix` what to do about it. */
  readonly seen: string;
}

export const ok = (check: string, seen: string): Finding => ({ check, state: 'ok', seen });
export const fix = (check: string, seen: string): Finding => ({ check, state: 'fix', seen });
export const unreachable = (check: string, seen: string): Finding => ({ check, state: 'unreachable', seen });

/** What `look` says is in order; what it throws is `bad`. */
export async function check(
  name: string,
  look: () => string | Promise<string>,
  bad: Finding['state'] = 'fix',
): Promise<Finding> {
  try {
    return ok(name, await look());
  } catch (error) {
    return { check: name, state: bad, seen: wordsOf(error) };
  }
}

export const wordsOf = (error: unknown): string =>
  error instanceof MedicError ? `${error.code}  ${error.message}. ${error.next}` : String(error);
