import type { Instant } from './ids.js';
import { between } from './ids.js';
import type { Verdict } from './reading.js';

/** One sample after an act, made by our own client and the witness, outside the reasoner. */
export interface ProofSample {
  readonly at: Instant;
  /** `yes`: every filing invariant was known and held. */
  readonly healthy: Verdict;
  /** Fingerprints that were broken in it. */
  readonly broken: readonly string[];
  /** Is the named cause gone? `unknown` for the cause `other`. */
  readonly causeGone: Verdict;
  /** Why not, or why unknown; one line. */
  readonly reason: string;
}

export interface ProofRule {
  /** Healthy samples in a row. */
  readonly samples: number;
  /** Time they have to span, counting each sample for `sampleMs`. */
  readonly windowMs: number;
  readonly sampleMs: number;
  /** After this time no more samples are taken. */
  readonly deadlineMs: number;
}

export type ProofResult = 'healthy' | 'unhealthy' | 'unknown';

/** Where the proof stands. `open`: keep sampling. */
export interface ProofState {
  readonly result: ProofResult | 'open';
  /** Healthy samples in a row so far. */
  readonly inRow: number;
  readonly reason: string;
}

/**
 * Judges the samples so far. Healthy needs N good samples in a row over the window **and** the cause gone in each of
 * them. At the deadline the last sample decides between unhealthy (something is known to be broken) and unknown.
 */
export function judgeProof(samples: readonly ProofSample[], rule: ProofRule, elapsedMs: number): ProofState {
  const row = goodTail(samples);
  const first = row[0];
  const last = row.at(-1);
  const spanMs = first && last ? between(first.at, last.at) + rule.sampleMs : 0;
  if (row.length >= rule.samples && spanMs >= rule.windowMs)
    return { result: 'healthy', inRow: row.length, reason: `healthy ${row.length} of ${rule.samples}; cause gone` };
  const latest = samples.at(-1);
  const reason = latest?.reason ?? 'no sample yet';
  if (elapsedMs < rule.deadlineMs) return { result: 'open', inRow: row.length, reason };
  return { result: atDeadline(latest), inRow: row.length, reason };
}

function goodTail(samples: readonly ProofSample[]): readonly ProofSample[] {
  const lastBad = samples.findLastIndex((sample) => sample.healthy !== 'yes' || sample.causeGone !== 'yes');
  return samples.slice(lastBad + 1);
}

function atDeadline(latest: ProofSample | undefined): ProofResult {
  if (!latest) return 'unknown';
  return latest.healthy === 'no' || latest.causeGone === 'no' ? 'unhealthy' : 'unknown';
}

/** Violations of the last sample that were not active right before the first act: the repair made it worse. */
export function newlyBroken(before: readonly string[], samples: readonly ProofSample[]): string[] {
  const known = new Set(before);
  return (samples.at(-1)?.broken ?? []).filter((name) => !known.has(name));
}
