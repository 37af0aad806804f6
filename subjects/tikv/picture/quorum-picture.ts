import type { Instant } from '../../../src/domain/ids.js';
import type { Verdict } from '../../../src/domain/reading.js';
import type { Group, Member, QuorumPicture } from '../../../src/policy/quorum-picture.js';
import type { PdMember, PlacedRegion, Store, TikvPicture } from '../picture.js';
import { doesAnswer, timesOf } from './look-up.js';
import { type PdOpinion, pdOpinionOf, youthOfLeader } from './pd-opinion.js';
import { memberWords, pdMajority } from './pd-quorum.js';
import { ageWords, reachWords, witnessWords } from './words.js';

/** Groups and members for the quorum kernel: each region, and PD itself. */
export function quorumPictureOf(picture: TikvPicture): QuorumPicture {
  const { placement, vitals } = picture;
  const regions = placement.known ? placement.value.regions : [];
  return {
    observedAt: oldestFact(picture),
    groups: [pdGroup(picture), ...regions.map(regionGroup)],
    members: [
      ...vitals.stores.map((store) => storeMember(picture, store)),
      ...vitals.pd.map((member) => pdMember(member)),
    ],
    gap: gapOf(picture),
  };
}

function pdGroup(picture: TikvPicture): Group {
  return { id: 'pd', ...pdMajority(picture), behind: [] };
}

/** A pending or down peer holds no usable copy, although its process may live. */
function regionGroup({ id, voters, pending, down }: PlacedRegion): Group {
  return {
    id: `region-${id}`,
    voters,
    need: Math.floor(voters.length / 2) + 1,
    behind: voters.filter((voter) => pending.includes(voter) || down.includes(voter)),
  };
}

function storeMember(picture: TikvPicture, store: Store): Member {
  const opinion = pdOpinionOf(picture, store);
  return {
    id: store.name,
    ...(store.pd.known && store.pd.value ? { aka: [`store-${store.pd.value.id}`] } : {}),
    alive: isStoreAlive(picture, store, opinion),
    impaired: storeTrouble(picture, store, opinion),
  };
}

/**
 * `yes` needs PD's fresh heartbeat and a running process. PD believes in a dead store for a while, so `no` needs two of
 * PD, our own client and the host to agree; everything else is not known.
 */
function isStoreAlive(picture: TikvPicture, { reach, witness }: Store, opinion: PdOpinion): Verdict {
  if (opinion.kind === 'unknown' || !witness.known) return 'unknown';
  const runs = witness.value.state === 'running';
  const isHeard = opinion.kind === 'listed' && opinion.store.state === 'Up' && !isOverdue(picture, opinion);
  if (runs && isHeard) return 'yes';
  const isDeaf = reach.known && !doesAnswer(reach.value);
  return [!runs, !isHeard, isDeaf].filter(Boolean).length >= 2 ? 'no' : 'unknown';
}

function storeTrouble(picture: TikvPicture, { name, reach, witness }: Store, opinion: PdOpinion): string | null {
  if (witness.known && witness.value.state !== 'running') return `${name} ${witnessWords(witness.value)}`;
  if (reach.known && !doesAnswer(reach.value)) return `${name} does not answer (${reachWords(reach.value)})`;
  if (opinion.kind === 'unknown') return null;
  if (opinion.kind === 'unlisted') return `PD does not list ${name}`;
  const silence = opinion.silentMs === null ? 'no heartbeat ever' : ageWords(opinion.silentMs);
  if (opinion.store.state !== 'Up') return `${name} is ${opinion.store.state} (${silence})`;
  return isOverdue(picture, opinion) ? `${name} has sent no heartbeat for ${silence}` : null;
}

/** More than one heartbeat is missing; half an interval is left to delays. */
function isOverdue(picture: TikvPicture, { silentMs }: Extract<PdOpinion, { kind: 'listed' }>): boolean {
  return silentMs === null || silentMs > 1.5 * timesOf(picture).storeHeartbeatMs;
}

function pdMember(member: PdMember): Member {
  return { id: member.name, alive: isPdAlive(member), impaired: pdTrouble(member) };
}

function isPdAlive({ reach, quorum, witness }: PdMember): Verdict {
  if (!witness.known) return 'unknown';
  const runs = witness.value.state === 'running';
  if (runs && quorum.known) return quorum.value.healthy ? 'yes' : 'unknown';
  const isDeaf = reach.known && !doesAnswer(reach.value);
  return !runs && isDeaf ? 'no' : 'unknown';
}

function pdTrouble(member: PdMember): string | null {
  const { name, quorum, witness } = member;
  if (witness.known && witness.value.state !== 'running') return `${name} ${witnessWords(witness.value)}`;
  return quorum.known && quorum.value.healthy ? null : memberWords(member);
}

/** Why some group or pending peer may be missing from the picture. */
function gapOf(picture: TikvPicture): string | null {
  const { placement } = picture;
  const youth = youthOfLeader(picture, timesOf(picture).regionHeartbeatMs);
  if (youth !== null) return youth;
  if (!placement.known) return `who holds which region is unknown: ${placement.reason}`;
  return placement.value.regions.length === 0 ? 'PD lists no region' : null;
}

function oldestFact({ at, placement, vitals }: TikvPicture): Instant {
  const facts = [placement, vitals.leadership, ...vitals.stores.flatMap(({ pd, witness }) => [pd, witness])];
  return [at, ...facts.map(({ observedAt }) => observedAt)].sort()[0] ?? at;
}
