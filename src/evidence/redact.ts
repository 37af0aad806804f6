import { RULES } from './redaction-rules.js';

/** What stands where a secret stood. */
export const MASK = '[redacted]';

/** Shorter values would hit ordinary words and numbers, so they are not masked by value. */
export const MIN_SECRET_LENGTH = 8;

/** Masking one secret can make another one recognisable; this many rounds is far beyond what real text needs. */
const MAX_ROUNDS = 12;

export interface Redacted {
  readonly text: string;
  /** How many places were masked. */
  readonly redactions: number;
}

/**
 * Masks secrets in text that is about to reach a model, a history, a log or a screen. First the values given as
 * `known` (also as base64, URL-encoded and JSON-escaped; entries shorter than `MIN_SECRET_LENGTH` are ignored), then
 * whatever has the form of a secret. Pure; idempotent, as it goes on until nothing more is found; text that never
 * settles is masked whole.
 */
export function redact(text: string, { known }: { readonly known: readonly string[] }): Redacted {
  const values = spellings(known);
  let redactions = 0;
  let current = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = pass(current, values);
    if (next.redactions === 0) return { text: current, redactions };
    redactions += next.redactions;
    current = next.text;
  }
  return { text: MASK, redactions };
}

function pass(text: string, values: readonly string[]): Redacted {
  const known = maskValues(text, values);
  const formed = maskForms(known.text);
  return { text: formed.text, redactions: known.redactions + formed.redactions };
}

function maskValues(text: string, values: readonly string[]): Redacted {
  let redactions = 0;
  let current = text;
  for (const value of values) {
    const parts = current.split(value);
    redactions += parts.length - 1;
    current = parts.join(MASK);
  }
  return { text: current, redactions };
}

function maskForms(text: string): Redacted {
  let redactions = 0;
  let current = text;
  for (const { hint, pattern } of RULES) {
    if (hint && !hint.test(current)) continue;
    current = current.replace(pattern, (whole: string, before: string, secret: string) => {
      if (secret === MASK) return whole;
      redactions++;
      return `${before}${MASK}${whole.slice(before.length + secret.length)}`;
    });
  }
  return { text: current, redactions };
}

/** The forms in which a known value turns up, the longest first, so that none is left half masked. */
function spellings(known: readonly string[]): string[] {
  const all = known.filter((value) => value.length >= MIN_SECRET_LENGTH).flatMap(spellingsOf);
  return [...new Set(all)].filter((value) => !MASK.includes(value)).sort((a, b) => b.length - a.length);
}

function spellingsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [value, base64, encodeURIComponent(bytes.toString()), JSON.stringify(value).slice(1, -1)];
}
