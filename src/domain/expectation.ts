import type { Target } from './ids.js';

/**
 * Why something that looks wrong is as it should be: a person stopped it; a PD that started cold schedules nothing yet;
 * counts are uneven because what is balanced, the scores, is equal.
 */
export type ExpectationKind = 'planned-stop' | 'cold-start' | 'even-by-score';

/** Recognised by code in a picture; a reasoner can only refer to it. */
export interface Expectation {
  readonly kind: ExpectationKind;
  /** What is as it should be; `null`: it concerns no member, so it explains no violation that has a target. */
  readonly target: Target | null;
  /** What in the picture says so, one line. */
  readonly reason: string;
}
