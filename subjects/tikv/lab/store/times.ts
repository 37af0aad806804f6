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

/**
 * A busy machine takes its time whatever the profile, and whoever gives up too early makes it busier by looking for the
 * leader again.
 */
const LEAST = { unaryMs: 2_000, keepAliveTimeoutMs: 1_500 } as const;

/**
 * TiKV's times around PD in the proportion of the profile: 3 s for a call, keep-alive 10 s and 3 s, 1 to 3 s between two
 * looks for the leader. A real PD cuts clients that ping faster than every 5 s, so `fast` is for the stand-in only.
 */
export function pdTimes({ storeHeartbeatMs }: ClusterTimes): PdTimes {
  const tenth = storeHeartbeatMs / 10;
  return {
    unaryMs: Math.max(3 * tenth, LEAST.unaryMs),
    keepAliveMs: storeHeartbeatMs,
    keepAliveTimeoutMs: Math.max(3 * tenth, LEAST.keepAliveTimeoutMs),
    retryMs: tenth,
    retryMaxMs: 3 * tenth,
  };
}
