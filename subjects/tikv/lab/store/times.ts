import type { ClusterTimes } from '../../profiles.js';

/** How a store treats its link to PD, in ms. */
export interface PdTimes {
  readonly unaryMs: number;
  readonly keepAliveMs: number;
  readonly keepAliveTimeoutMs: number;
  /** Wait before looking for the leader again, growing by itself up to the maximum. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
}

/** A busy machine takes its time whatever the profile, and each deadline missed costs a look for the leader. */
const MIN_UNARY_MS = 1_000;

/**
 * TiKV's times around PD in the proportion of the profile: 3 s for a call, keep-alive 10 s and 3 s, 1 to 3 s between two
 * looks for the leader. A real PD cuts clients that ping faster than every 5 s, so `fast` is for the stand-in only.
 */
export function pdTimes({ storeHeartbeatMs }: ClusterTimes): PdTimes {
  const tenth = storeHeartbeatMs / 10;
  return {
    unaryMs: Math.max(3 * tenth, MIN_UNARY_MS),
    keepAliveMs: storeHeartbeatMs,
    keepAliveTimeoutMs: 3 * tenth,
    retryMs: tenth,
    retryMaxMs: 3 * tenth,
  };
}
