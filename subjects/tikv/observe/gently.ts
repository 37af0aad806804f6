import type { Profile } from '../profiles.js';

/** How a cluster is looked at that others live from: little is asked of its PD, whatever state it is in. */
export interface Gentleness {
  /** How long an answer about what changes slowly stands: counts of regions, orders to PD, starts of its members. */
  readonly everyMs: number;
  /** A cluster with more regions is not asked who holds what: the answer would be as large as the cluster. */
  readonly maxRegions: number;
  /** Origins that people named as open to us: there, silence is a sign from the first look on. */
  readonly endpoints: readonly string[];
}

/** Requests to PD, over all its members, that the samples may make in a second. */
export const PD_REQUESTS_PER_SECOND = 2;

const MAX_REGIONS = 5_000;
/** Room for what is asked twice because a member did not answer in its share of the time. */
const SHARE = 0.95;
const LONGEST_MS = 300_000;

/** Asked in each sample: health of each member, the list of members, the stores. */
const quickRequests = (members: number): number => members + 2;
/** Asked now and then: the start of each member; four counts of regions, three orders. */
const slowRequests = (members: number): number => members + 7;

/** Keeps the samples of a group of `members` below {@link PD_REQUESTS_PER_SECOND}; a group of up to seven can be. */
export function gentlenessOf(
  { watch: { sampleMs } }: Profile,
  { members, endpoints }: { readonly members: number; readonly endpoints: readonly string[] },
): Gentleness {
  const left = (SHARE * PD_REQUESTS_PER_SECOND * sampleMs) / 1_000 - quickRequests(members);
  const samples = left <= 0 ? Number.POSITIVE_INFINITY : Math.ceil(slowRequests(members) / left);
  // Half a sample less: a sample that comes a moment early is the one that was meant.
  return { everyMs: Math.min(LONGEST_MS, (samples - 0.5) * sampleMs), maxRegions: MAX_REGIONS, endpoints };
}
