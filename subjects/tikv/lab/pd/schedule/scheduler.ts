import type { RegionReport } from '../model.js';
import type { Influences } from './influence.js';
import type { StoreLimits } from './limits.js';
import type { Draft } from './operator.js';
import type { Survey } from './survey.js';

/** One round of a scheduler or a checker: what it sees, and what it may use. */
export interface Round {
  readonly survey: Survey;
  /** What operators that run, and drafts of this round, will still do. */
  readonly influences: Influences;
  readonly limits: StoreLimits;
  /** How many leaders the store had in the round before. */
  readonly leadersBefore: (storeId: number) => number;
  /** Has the region an operator? */
  readonly isBusy: (regionId: number) => boolean;
  /** An id for a new peer; null while none is reserved, which is a matter of milliseconds. */
  readonly peerId: () => number | null;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Decides what one scheduler wants now; empty if nothing. */
export type Scheduler = (round: Round) => readonly Draft[];

/** Are all peers of the region there, with their data? Regions that are not are left alone by balancers. */
export function isHealthy({ pendingPeers, downPeers }: RegionReport): boolean {
  return pendingPeers.length === 0 && downPeers.length === 0;
}

/** Regions without operator, in random order, as PD picks them. */
export function idleRegions({ survey, isBusy, random }: Round): RegionReport[] {
  const idle = survey.reports.filter(({ region, leader }) => leader !== null && !isBusy(region.id));
  return idle
    .map((report) => ({ report, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ report }) => report);
}

/** Voters of the region that do not lead, by store. */
export function followerStores({ region, leader }: RegionReport): number[] {
  const voters = region.peers.filter(({ role }) => role === 'Voter' || role === 'IncomingVoter');
  return voters.map(({ storeId }) => storeId).filter((storeId) => storeId !== leader?.storeId);
}
