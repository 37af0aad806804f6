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

/** How a store looks at the network between itself and the others. */
export interface ProbeTimes {
  /** Distance of two rounds, each with one probe of every other store. */
  readonly everyMs: number;
  /** A round is slow when this many probes before it are unanswered. */
  readonly slowFrom: number;
  /** From the worst score to the best one without a slow round. */
  readonly recoveryMs: number;
}

/**
 * A busy machine takes its time whatever the profile. Who gives up too early makes it busier by looking for PD's leader
 * again, or tells tales of a store that only waited for its turn.
 */
const LEAST = { unaryMs: 2_000, keepAliveTimeoutMs: 1_500, slowProbeMs: 500 } as const;

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

/** TiKV probes each second, calls a probe slow after one, and forgets in ten minutes; in the proportion of the profile. */
export function probeTimes({ raftTickMs }: Pick<ClusterTimes, 'raftTickMs'>): ProbeTimes {
  return { everyMs: raftTickMs, slowFrom: Math.ceil(LEAST.slowProbeMs / raftTickMs), recoveryMs: 600 * raftTickMs };
}
