import type { Instant } from '../../../src/domain/ids.js';
import type { PdStore, ScoreRise } from '../picture.js';

/**
 * One score over time. TiKV's scores climb by steps (slow_score doubles per 10 s; the network score jumps to 99, or 4, 46,
 * 99 for a lossy link) and decay over 5 to 10 minutes, long after the trouble is over.
 */
export interface ScoreMemory {
  /** The lowest since the last rise began, or since the first look. */
  readonly floor: number;
  readonly now: number;
  readonly rise: { readonly peak: number; readonly since: Instant; readonly fellAt: Instant | null } | null;
}

export interface ScoreSeen {
  readonly score: number;
  readonly at: Instant;
  /** Nobody watched before, so a high score may be old. */
  readonly isFirstLook: boolean;
}

/** Scores wobble by this much without meaning it. */
const STEP = 2;
/** Fallen by so much from its peak it decays: what it told of is over. */
const FALL = 3;

export function followScore(before: ScoreMemory | null, { score, at, isFirstLook }: ScoreSeen): ScoreMemory {
  if (before === null && isFirstLook) return { floor: score, now: score, rise: null };
  // PD leaves a network score of 1 out, so one that appears later has risen from 1.
  const { floor, rise } = before ?? { floor: 1, rise: null };
  const stands = rise !== null && rise.fellAt === null;
  if (stands && score > rise.peak - FALL)
    return { floor, now: score, rise: { ...rise, peak: Math.max(score, rise.peak) } };
  if (!stands && score > floor + STEP) return { floor, now: score, rise: { peak: score, since: at, fellAt: null } };
  if (stands) return { floor: score, now: score, rise: { ...rise, fellAt: at } };
  return { floor: Math.min(score, floor), now: score, rise };
}

/** Whose score it is. */
export type ScoreName = Pick<ScoreRise, 'kind' | 'reporter' | 'about'>;

export interface NamedScore {
  readonly name: ScoreName;
  readonly score: number;
}

/** Every score that PD shows for one store. */
export function scoresOf(store: string, { slowScore, networkSlowScores }: PdStore): readonly NamedScore[] {
  const network = Object.entries(networkSlowScores).map(([about, score]) => ({
    name: { kind: 'network' as const, reporter: store, about },
    score,
  }));
  if (slowScore === null) return network;
  return [{ name: { kind: 'store', reporter: store, about: store }, score: slowScore }, ...network];
}
