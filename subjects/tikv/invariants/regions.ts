import type { Reading } from '../../../src/domain/reading.js';
import type { Severity } from '../../../src/domain/violation.js';
import type { Invariant } from '../../protocol.js';
import { ageIn, pdNamed, timesOf } from '../picture/look-up.js';
import { youthOfLeader } from '../picture/pd-opinion.js';
import { regionsHave } from '../picture/words.js';
import type { TikvPicture } from '../picture.js';
import { broken, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/*
 * Symptoms of regions have no target: they follow from what happened to a store, and the desk attaches them to its
 * ticket. PD copies the peers of a region from its leader's last heartbeat, so a PD leader that has just changed knows
 * none of them: "none" is then unknown, while what it does report is true.
 */

/** Regions whose leader PD does not know. */
export const regionsHaveLeader: Invariant<TikvPicture> = {
  name: 'regions-have-leader',
  title: 'each region has a leader',
  use: 'files',
  check: (picture) => checkOf('regions-have-leader', null, leaderFinding(picture)),
};

/** One per region whose new leader cannot reach a lost peer: the early count. */
export const regionsNoPendingPeer: Invariant<TikvPicture> = {
  name: 'regions-no-pending-peer',
  title: 'no region has a pending peer',
  use: 'files',
  check: (picture) => checkOf('regions-no-pending-peer', null, peerFinding(picture, 'pendingPeer', 'medium')),
};

/** Region leaders call a peer down only after minutes of silence. */
export const regionsNoDownPeer: Invariant<TikvPicture> = {
  name: 'regions-no-down-peer',
  title: 'no region has a down peer',
  use: 'files',
  check: (picture) => checkOf('regions-no-down-peer', null, peerFinding(picture, 'downPeer', 'high')),
};

/** Fewer peers than the placement rules ask for; PD repairs that itself, so it is only shown. */
export const regionsNoMissingPeer: Invariant<TikvPicture> = {
  name: 'regions-no-missing-peer',
  title: 'no region misses a peer',
  use: 'evidence',
  check: (picture) => checkOf('regions-no-missing-peer', null, peerFinding(picture, 'missingPeer', 'medium')),
};

const PEER_WORDS = { pendingPeer: 'a pending peer', downPeer: 'a down peer', missingPeer: 'too few peers' } as const;

function peerFinding(picture: TikvPicture, kind: keyof typeof PEER_WORDS, severity: Severity): Finding {
  const count: Reading<number> = picture.vitals.regions[kind];
  if (!count.known) return UNKNOWN;
  if (count.value > 0) return broken(severity, `${regionsHave(count.value)} ${PEER_WORDS[kind]}`);
  return youthOfLeader(picture, timesOf(picture).regionHeartbeatMs) === null ? HOLDS : UNKNOWN;
}

function leaderFinding(picture: TikvPicture): Finding {
  const { total, withLeader } = picture.vitals.regions;
  if (!total.known || !withLeader.known) return UNKNOWN;
  const without = total.value - withLeader.value;
  if (without <= 0) return HOLDS;
  // After a cold start PD counts no leader until each region's heartbeat, although every region has one.
  if (youthOfLeader(picture, timesOf(picture).regionHeartbeatMs) !== null || mayHaveJustStarted(picture))
    return UNKNOWN;
  return broken('critical', `${regionsHave(without)} no leader`);
}

/** Medic may be the one that came late: then the start of the PD leader's process tells, else only time. */
function mayHaveJustStarted(picture: TikvPicture): boolean {
  const { leadership } = picture.vitals;
  if (!leadership.known || leadership.value.leader === null) return false;
  const startedAt = pdNamed(picture, leadership.value.leader)?.startedAt;
  const since = startedAt?.known ? startedAt.value : leadership.value.seenSince;
  return ageIn(picture, since) <= timesOf(picture).regionHeartbeatMs;
}
