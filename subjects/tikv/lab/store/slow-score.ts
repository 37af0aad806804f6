/** How a score grows and heals. */
export interface SlowScoreOptions {
  /** From 100 back to 1 takes this long without a slow probe. */
  readonly recoveryMs: number;
}

/** 1 is good, 100 the worst; doubles with every round that held a slow probe, falls in proportion to the time without. */
export interface SlowScore {
  /** Rounded as it travels to PD. */
  readonly value: number;
  /** Ends a round of probes. Without any probe nothing is known and nothing changes but the healing. */
  endRound(round: { readonly slow: number; readonly total: number; readonly elapsedMs: number }): void;
}

/** A share of slow probes from here on counts as all of them (TiKV: `ratio_thresh` 0.1 of its SlowScore). */
const RATIO_THRESHOLD = 0.1;
const WORST = 100;

/** TiKV's SlowScore: multiply by up to two in a bad round, subtract linearly in a good one, stay within 1 and 100. */
export function createSlowScore({ recoveryMs }: SlowScoreOptions): SlowScore {
  let score = 1;
  return {
    get value() {
      return Math.round(score);
    },
    endRound({ slow, total, elapsedMs }) {
      if (slow === 0) {
        score = Math.max(1, score - (WORST * elapsedMs) / recoveryMs);
        return;
      }
      const nearness = Math.min(slow / total, RATIO_THRESHOLD) / RATIO_THRESHOLD;
      score = Math.min(WORST, score * (1 + nearness));
    },
  };
}
