import type { ErrorCode } from '../../domain/errors.js';

/** Why something may not run: a code of the registry and the particular words. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly reason: string;
}

/** Longest command line or body that is read; no repair step needs more. */
const MAX_CHARACTERS = 16_384;

/**
 * Control, format and direction characters deceive whoever reads the command before approving it, and lone surrogates
 * and unassigned code points show as nothing; so do spaces other than U+0020. Newline and tab are plain text.
 */
const DECEPTIVE = /[^\P{C}\n\t]|[^\P{Z} ]/u;

/** Refuses a text that cannot be shown to a person exactly as it would run; `null` when it can. */
export function checkText(text: string): Refusal | null {
  if (text.length > MAX_CHARACTERS) {
    return { code: 'MEDIC_POLICY_PARSE', reason: `it has ${text.length} characters, more than ${MAX_CHARACTERS}` };
  }
  const found = DECEPTIVE.exec(text);
  if (!found) return null;
  const name = found[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  return { code: 'MEDIC_POLICY_CONTROL_CHARACTER', reason: `character U+${name} at position ${found.index}` };
}
