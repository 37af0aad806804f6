import type { Instant } from './ids.js';

/**
 * One fact of a picture with its age and source, or an explicit gap. No answer is never an empty answer: whoever
 * reads a gap as "nothing there" has to say so.
 */
export type Reading<T> = Known<T> | Gap;

export interface Known<T> {
  readonly known: true;
  readonly value: T;
  readonly observedAt: Instant;
  /** Who said it: `pd-1 GET /pd/api/v1/stores`, `labctl`, `probe`. */
  readonly source: string;
}

export interface Gap {
  readonly known: false;
  /** Why nothing is known, in words for a person: `pd-1: connect ECONNREFUSED`. */
  readonly reason: string;
  readonly observedAt: Instant;
  readonly source: string;
}

/** `unknown` never counts as `yes` nor as `no`. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** Where and when something was looked for. */
export interface Seen {
  readonly at: Instant;
  readonly source: string;
}

export const known = <T>(value: T, { at, source }: Seen): Known<T> => ({ known: true, value, observedAt: at, source });

export const gap = (reason: string, { at, source }: Seen): Gap => ({ known: false, reason, observedAt: at, source });

/** The fact behind a reading, or `null` for a gap: for places where a gap and "not so" lead to the same words. */
export const factOf = <T>(reading: Reading<T>): T | null => (reading.known ? reading.value : null);

/** A fact drawn out of another one; a gap stays that gap. */
export function mapReading<A, B>(reading: Reading<A>, draw: (value: A) => B): Reading<B> {
  return reading.known ? { ...reading, value: draw(reading.value) } : reading;
}
