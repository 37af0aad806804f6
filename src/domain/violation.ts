import type { Instant, Target } from './ids.js';

/** How soon somebody must care; `info` never files a ticket. */
export type Severity = 'critical' | 'high' | 'medium' | 'info';

/** What one look at a picture says about one invariant. */
export interface Check {
  readonly invariant: string;
  /** `unknown`: the facts to judge it are missing. It then neither files nor clears anything. */
  readonly known: boolean;
  /** The targets for which it does not hold; empty when it holds. */
  readonly broken: readonly Broken[];
  /** Targets that could not be judged although others could; for them this check is not known. Absent: none. */
  readonly unjudged?: readonly Target[];
}

/** Was every target judged? Only then does an empty `broken` mean that the invariant holds. */
export const isWhole = ({ known, unjudged = [] }: Check): boolean => known && unjudged.length === 0;

export interface Broken {
  readonly target: Target | null;
  readonly severity: Severity;
  /** One line for a person, with the numbers. */
  readonly message: string;
}

/** An invariant that stayed broken for its grace. */
export interface Violation extends Broken {
  readonly invariant: string;
  /** Our own stable name of "this invariant on this target of this subject". */
  readonly fingerprint: string;
  /** First bad sample. */
  readonly since: Instant;
}

/** The stable name by which the desk dedupes. */
export const fingerprint = (subject: string, invariant: string, target: Target | null): string =>
  `${subject}:${invariant}:${target ?? '-'}`;

/** `store-up tikv-0`: an invariant and its target, in one word each. */
export const violationName = ({ invariant, target }: Pick<Violation, 'invariant' | 'target'>): string =>
  target === null ? invariant : `${invariant} ${target}`;

/**
 * What the patrol tells the desk: always the whole truth of the moment (level-triggered), so a lost or repeated report
 * heals itself.
 */
export interface Report {
  readonly subject: string;
  /** Rises within one `watch`; a new watch starts again with a new `watch` id. */
  readonly seq: number;
  readonly watch: string;
  readonly at: Instant;
  /** Every violation past its grace. */
  readonly active: readonly Violation[];
  /** Fingerprints that are broken now but still within their grace, or active and not yet clean for long enough. */
  readonly suspect: readonly string[];
  /** Invariants with enough known samples in a row to clear what is neither active nor suspect. */
  readonly judged: readonly string[];
  /**
   * Of a source beside the patrol, which tells of single things as they come and go: fingerprints that are over. Such a report
   * clears these and nothing else. Absent: it is the patrol's.
   */
  readonly cleared?: readonly string[];
}
