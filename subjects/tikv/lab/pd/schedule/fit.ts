import type { Peer, RegionReport } from '../model.js';
import { locationLabels, spread } from './isolation.js';
import type { Survey } from './survey.js';

/** How a region's peers fit the rule that every region has (PD: `placement.FitRegion`). */
export interface Fit {
  /** Peers that make up the replicas, at most as many as the rule wants. */
  readonly kept: readonly Peer[];
  readonly missing: number;
  /** Peers that are too many. */
  readonly orphans: readonly Peer[];
}

/**
 * Chooses the peers to keep: voters before learners, then those whose stores are furthest apart, then healthy ones, then
 * older ones.
 */
export function fitRegion(survey: Survey, report: RegionReport): Fit {
  const count = Number(survey.replication['max-replicas']);
  const peers = [...report.region.peers].sort((a, b) => health(report, b) - health(report, a) || a.id - b.id);
  const kept = bestOf(survey, choices(peers, count));
  return {
    kept,
    missing: Math.max(0, count - peers.length),
    orphans: peers.filter((peer) => !kept.includes(peer)),
  };
}

function bestOf(survey: Survey, sets: readonly (readonly Peer[])[]): readonly Peer[] {
  const [only, ...more] = sets;
  if (more.length === 0) return only ?? [];
  const labels = locationLabels(survey);
  const spreadOf = (peers: readonly Peer[]) =>
    spread(
      labels,
      peers.map(({ storeId }) => survey.store(storeId)).filter((store) => store !== undefined),
    );
  const voters = (peers: readonly Peer[]) => peers.filter(({ role }) => role !== 'Learner').length;
  const better = (a: readonly Peer[], b: readonly Peer[]) => voters(b) - voters(a) || spreadOf(b) - spreadOf(a);
  return [...sets].sort(better)[0] ?? [];
}

/** All ways to take `count` of the peers, those of the first peers first. */
function choices(peers: readonly Peer[], count: number): (readonly Peer[])[] {
  if (peers.length <= count) return [peers];
  const [first, ...rest] = peers;
  if (first === undefined || count === 0) return [[]];
  return [...choices(rest, count - 1).map((others) => [first, ...others]), ...choices(rest, count)];
}

/** 2 is well, 1 lacks data, 0 is down. */
function health({ downPeers, pendingPeers }: RegionReport, { id }: Peer): number {
  if (downPeers.some(({ peer }) => peer.id === id)) return 0;
  return pendingPeers.some((peer) => peer.id === id) ? 1 : 2;
}
