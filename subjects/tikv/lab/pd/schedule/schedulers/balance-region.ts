import type { RegionReport } from '../../model.js';
import { movePeer } from '../build.js';
import { peerSourceRefusal, peerTargetRefusal } from '../filters.js';
import { breaksIsolation, distance, locationLabels } from '../isolation.js';
import type { Draft } from '../operator.js';
import { heir, storesOf } from '../placement.js';
import { idleRegions, type Round } from '../scheduler.js';
import { isInJointState } from '../step.js';
import { fullness, type StoreSight } from '../survey.js';

/** PD's name of it. */
export const BALANCE_REGION = 'balance-region-scheduler';
/** What runs already weighs so much more than what is there (PD: `influenceAmp`). */
const AMPLIFIED = 100;
/** The tolerance is this share of the most regions on a store, but at least one region (PD: `adjustRatio`). */
const SHARE = 0.005;

/**
 * Moves one peer from the fullest store to the emptiest one where that keeps the places of its region as far apart as
 * they are (PD: `balance_region.go`). Followers go before leaders.
 */
export function balanceRegions(round: Round): Draft[] {
  const { survey, limits } = round;
  const byFullness = (a: StoreSight, b: StoreSight) => scoreOf(round, b) - scoreOf(round, a);
  const sources = survey.stores
    .filter((store) => peerSourceRefusal(store, { survey, limits }) === null)
    .sort(byFullness);
  for (const [index, source] of sources.entries()) {
    const emptier = sources.slice(index + 1).reverse();
    for (const report of regionsOn(round, source)) {
      const draft = moveOf(round, { report, source, targets: emptier });
      if (draft !== null) return [draft];
    }
  }
  return [];
}

/** Regions with all their replicas, in PD's order: those that lack data here first, those that are led here last. */
function regionsOn(round: Round, { id }: StoreSight): RegionReport[] {
  const copies = Number(round.survey.replication['max-replicas']);
  const here = idleRegions(round).filter(
    (report) =>
      report.downPeers.length === 0 &&
      !isInJointState(report) &&
      report.region.peers.length === copies &&
      report.region.peers.some(({ storeId }) => storeId === id),
  );
  const rank = (report: RegionReport) => {
    if (report.pendingPeers.some(({ storeId }) => storeId === id)) return 0;
    return report.leader?.storeId === id ? 2 : 1;
  };
  const whole = here.filter((report) => rank(report) === 0 || report.pendingPeers.length === 0);
  return whole.sort((a, b) => rank(a) - rank(b));
}

interface Choice {
  readonly report: RegionReport;
  readonly source: StoreSight;
  /** The emptiest first. */
  readonly targets: readonly StoreSight[];
}

function moveOf(round: Round, { report, source, targets }: Choice): Draft | null {
  const target = targets.find(
    (store) => isPlaceFor(round, { report, source, store }) && shouldMove(round, source, store),
  );
  const peerId = target === undefined ? null : round.peerId();
  if (target === undefined || peerId === null) return null;
  return movePeer(
    { desc: BALANCE_REGION, kinds: ['region'], priority: 'balance', report },
    {
      from: source.id,
      to: { storeId: target.id, peerId },
      newLeader: heir(round, report, source.id),
      joint: round.survey.isOn('enable-joint-consensus') ? 'on' : 'off',
    },
  );
}

function isPlaceFor(
  round: Round,
  { report, source, store }: Pick<Choice, 'report' | 'source'> & { readonly store: StoreSight },
): boolean {
  const { survey, limits } = round;
  if (report.region.peers.some(({ storeId }) => storeId === store.id)) return false;
  if (peerTargetRefusal(store, { survey, limits }) !== null) return false;
  const others = storesOf(round, report, { except: source.id });
  const labels = locationLabels(survey);
  return (
    !breaksIsolation(store, { survey, others }) && distance(labels, store, others) >= distance(labels, source, others)
  );
}

function scoreOf({ influences }: Round, store: StoreSight): number {
  return fullness(store, influences.of(store.id).sizeMib);
}

/** PD: `solver.shouldBalance` by size. */
function shouldMove({ survey, influences }: Round, source: StoreSight, target: StoreSight): boolean {
  const most = Math.max(...survey.stores.map(({ totals }) => totals.regionCount));
  const ratio = survey.number('tolerant-size-ratio') || Math.max(1, most * SHARE);
  const tolerance = Math.trunc(survey.averageRegionMib * ratio);
  const giving = -Math.abs(influences.of(source.id).sizeMib) * AMPLIFIED - tolerance;
  const taking = Math.abs(influences.of(target.id).sizeMib) * AMPLIFIED + tolerance;
  return fullness(source, giving) > fullness(target, taking);
}
