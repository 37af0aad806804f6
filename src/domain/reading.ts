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
