import type { Peer, RegionReport } from '../../model.js';
import { addPeer, movePeer, promotePeer, removePeer, type Wish } from '../build.js';
import { type Fit, fitRegion } from '../fit.js';
import { distance, locationLabels } from '../isolation.js';
import type { Draft } from '../operator.js';
import { heir, leastLedHeir, storesOf, storeToAdd } from '../placement.js';
import { isHealthy, type Round } from '../scheduler.js';

/**
 * What a region lacks of the rule that every region has (PD: `rule_checker.go`), one thing at a time: a peer too many,
 * one too few, one on a store that is Down or leaves, one that should vote, one that could be further from the others.
 * Null if it lacks nothing, or if nothing can be done now.
 */
export function checkRule(round: Round, report: RegionReport): Draft | null {
  const fit = fitRegion(round.survey, report);
  return (
    removeOrphan(round, { report, fit }) ??
    replaceByOrphan(round, { report, fit }) ??
    addMissing(round, { report, fit }) ??
    replaceDown(round, { report, fit }) ??
    replaceOffline(round, { report, fit }) ??
    promoteLearner({ report, fit }) ??
    improvePlace(round, { report, fit })
  );
}

interface Case {
  readonly report: RegionReport;
  readonly fit: Fit;
}

/** Only once the others are well: until then the peer that is too many may be needed. */
function removeOrphan(round: Round, { report, fit }: Case): Draft | null {
  const [orphan] = fit.orphans;
  if (orphan === undefined || fit.kept.some((peer) => isAiling(report, peer))) return null;
  const wish = wishFor(report, 'remove-orphan-peer');
  return removePeer({ ...wish, kinds: [] }, { from: orphan.storeId, newLeader: heir(round, report, orphan.storeId) });
}

/** A learner that an operator left behind is as good as a new one. */
function replaceByOrphan(round: Round, { report, fit }: Case): Draft | null {
  const learner = fit.orphans.find((peer) => peer.role === 'Learner' && !isAiling(report, peer));
  const down = downPeer(round, { report, fit });
  if (learner === undefined || down === undefined) return null;
  return movePeer(wishFor(report, 'replace-down-peer-with-orphan-peer'), {
    from: down.storeId,
    to: { storeId: learner.storeId, peerId: learner.id },
    newLeader: heir(round, report, down.storeId),
    joint: jointOf(round),
  });
}

function addMissing(round: Round, { report, fit }: Case): Draft | null {
  if (fit.missing === 0) return null;
  const store = storeToAdd(round, report);
  const peerId = store === null ? null : round.peerId();
  if (store === null || peerId === null) return null;
  return addPeer(wishFor(report, 'add-rule-peer'), { storeId: store.id, peerId, role: 'Voter' });
}

function replaceDown(round: Round, { report, fit }: Case): Draft | null {
  const down = downPeer(round, { report, fit });
  return down === undefined ? null : replace(round, { report, peer: down, because: 'down' });
}

/** Both must say so: PD, because the store was silent for `max-store-down-time`, and the region's leader. */
function downPeer({ survey }: Round, { report, fit }: Case): Peer | undefined {
  const isReported = ({ id }: Peer) => report.downPeers.some(({ peer }) => peer.id === id);
  return fit.kept.find((peer) => isReported(peer) && survey.store(peer.storeId)?.hearing === 'down');
}

function replaceOffline(round: Round, { report, fit }: Case): Draft | null {
  const leaving = fit.kept.find(({ storeId }) => round.survey.store(storeId)?.meta.state === 'Offline');
  return leaving === undefined ? null : replace(round, { report, peer: leaving, because: 'offline' });
}

function promoteLearner({ report, fit }: Case): Draft | null {
  const learner = fit.kept.find(({ role }) => role === 'Learner');
  return learner === undefined ? null : promotePeer(wishFor(report, 'fix-peer-role'), learner);
}

/** PD: `enable-location-replacement`. Not while a peer ails: one thing at a time. */
function improvePlace(round: Round, { report, fit }: Case): Draft | null {
  const { survey } = round;
  const labels = locationLabels(survey);
  if (labels.length === 0 || !survey.isOn('enable-location-replacement') || !isHealthy(report)) return null;
  const apart = ({ storeId }: Peer) => {
    const store = survey.store(storeId);
    return store === undefined ? 0 : distance(labels, store, storesOf(round, report, { except: storeId }));
  };
  const [worst] = [...fit.kept].sort((a, b) => apart(a) - apart(b));
  if (worst === undefined) return null;
  const store = storeToAdd(round, report, { replaces: worst.storeId });
  const gain = store === null ? 0 : distance(labels, store, storesOf(round, report, { except: worst.storeId }));
  return gain > apart(worst) ? moveTo(round, { report, peer: worst, desc: 'move-to-better-location' }) : null;
}

interface Replacement {
  readonly report: RegionReport;
  readonly peer: Peer;
  readonly because: 'down' | 'offline';
}

function replace(round: Round, { report, peer, because }: Replacement): Draft | null {
  const led = report.leader?.id === peer.id ? '-leader' : '';
  return moveTo(round, { report, peer, desc: `replace-rule-${because}${led}-peer` });
}

function moveTo(
  round: Round,
  { report, peer, desc }: Pick<Replacement, 'report' | 'peer'> & { readonly desc: string },
): Draft | null {
  const store = storeToAdd(round, report, { replaces: peer.storeId });
  const peerId = store === null ? null : round.peerId();
  if (store === null || peerId === null) return null;
  return movePeer(wishFor(report, desc), {
    from: peer.storeId,
    to: { storeId: store.id, peerId },
    newLeader: leastLedHeir(round, report, peer.storeId),
    joint: jointOf(round),
  });
}

function jointOf({ survey }: Round): 'on' | 'off' {
  return survey.isOn('enable-joint-consensus') ? 'on' : 'off';
}

function isAiling({ downPeers, pendingPeers }: RegionReport, { id }: Peer): boolean {
  return [...downPeers.map(({ peer }) => peer), ...pendingPeers].some((peer) => peer.id === id);
}

function wishFor(report: RegionReport, desc: string): Wish {
  return { desc, kinds: ['replica'], priority: 'repair', report };
}
