import type { RegionReport } from '../model.js';
import { lastingTargetRefusal, leaderTargetRefusal, peerTargetRefusal } from './filters.js';
import { breaksIsolation, distance, locationLabels } from './isolation.js';
import type { Round } from './scheduler.js';
import { fullness, type StoreSight } from './survey.js';

/** The stores of a region's peers, without those on `except`. */
export function storesOf(round: Round, report: RegionReport, { except = 0 } = {}): StoreSight[] {
  const ids = report.region.peers.map(({ storeId }) => storeId).filter((storeId) => storeId !== except);
  return ids.map((id) => round.survey.store(id)).filter((store) => store !== undefined);
}

/**
 * Where a peer of the region should go, null if nowhere: first the best places whatever their state is right now, then
 * the emptiest store among those of them that can take it (PD: `ReplicaStrategy.SelectStoreToAdd`). So a store that is
 * back in a moment is waited for, if only it is a good place.
 */
export function storeToAdd(round: Round, report: RegionReport, { replaces = 0 } = {}): StoreSight | null {
  const { survey, limits } = round;
  const others = storesOf(round, report, { except: replaces });
  const places = survey.stores.filter(
    (store) =>
      !report.region.peers.some(({ storeId }) => storeId === store.id) &&
      lastingTargetRefusal(store, survey) === null &&
      !breaksIsolation(store, { survey, others }),
  );
  const labels = locationLabels(survey);
  const best = Math.max(...places.map((store) => distance(labels, store, others)));
  const open = places
    .filter((store) => distance(labels, store, others) === best)
    .filter((store) => peerTargetRefusal(store, { survey, limits }) === null);
  const score = (store: StoreSight) => fullness(store, round.influences.of(store.id).sizeMib);
  return open.sort((a, b) => score(a) - score(b))[0] ?? null;
}

/**
 * Who leads instead, once the peer on `from` is gone: the first store with a healthy voter that takes leaders; null if
 * there is none (PD: `Builder.setTargetLeaderIfNotExist`).
 */
export function heir(round: Round, report: RegionReport, from: number): number | null {
  return heirs(round, report, from)[0]?.id ?? null;
}

/** The same for a store that is emptied: whoever leads least, so that not one store gets all (PD: `RuleChecker`). */
export function leastLedHeir(round: Round, report: RegionReport, from: number): number | null {
  const count = ({ id, totals }: StoreSight) => totals.leaderCount + round.influences.of(id).leaders;
  return heirs(round, report, from).sort((a, b) => count(a) - count(b))[0]?.id ?? null;
}

/** By id. */
function heirs(round: Round, report: RegionReport, from: number): StoreSight[] {
  const lacking = [...report.pendingPeers, ...report.downPeers.map(({ peer }) => peer)].map(({ id }) => id);
  const voters = report.region.peers.filter(
    ({ id, storeId, role }) =>
      (role === 'Voter' || role === 'IncomingVoter') && storeId !== from && !lacking.includes(id),
  );
  const stores = voters.map(({ storeId }) => round.survey.store(storeId)).filter((store) => store !== undefined);
  return stores.filter((store) => leaderTargetRefusal(store) === null).sort((a, b) => a.id - b.id);
}
