import { type Answer, json } from '../answers/answer.js';
import type { RegionReport } from '../model.js';
import { maxReplicas } from '../settings.js';
import type { PdView } from '../view.js';
import { regionFault, regionOf } from './asked-region.js';
import type { JsonObject } from './body.js';

/*
 * Operators that change the number of regions, or move all peers of one: PD's checks in PD's order (PD: `handler.go`). What
 * PD would take is refused, as the lab's stores neither split nor merge and such an operator could only run into its
 * timeout.
 */

export const CANNOT_RUN = json('this stand-in of PD does not split, merge or scatter regions', 501);

const NOT_ADJACENT = json('[PD:region:ErrRegionNotAdjacent]two regions are not adjacent', 500);
const POLICIES: readonly string[] = ['SCAN', 'APPROXIMATE', 'USEKEY'];

/** `split-region`: whole fields first, then the region, then what they mean. */
export function readSplit(view: PdView, asked: JsonObject): Answer {
  const { region_id: id, policy, keys = [] } = asked;
  if (typeof id !== 'number') return json('missing region id', 400);
  if (typeof policy !== 'string') return json('missing split policy', 400);
  if (!isTexts(keys)) return json('bad format keys', 400);
  return regionFault(view, asked) ?? policyFault(policy, keys) ?? CANNOT_RUN;
}

/** `merge-region`: both regions must be well and neighbours. */
export function readMerge(view: PdView, { source_region_id: from, target_region_id: into }: JsonObject): Answer {
  if (typeof from !== 'number') return json('missing region id', 400);
  if (typeof into !== 'number') return json('invalid target region id to merge to', 400);
  const asked = [{ region_id: from }, { region_id: into }];
  const unknown = asked.map((each) => regionFault(view, each)).find((fault) => fault !== null);
  if (unknown !== undefined) return unknown;
  const reports = asked.map((each) => regionOf(view, each)).filter((report) => report !== undefined);
  const ill = reports.find((report) => !isWhole(view, report));
  if (ill !== undefined) return json(`[PD:region:ErrRegionAbnormalPeer]region ${ill.region.id} has abnormal peer`, 500);
  return areNeighbours(reports) ? CANNOT_RUN : NOT_ADJACENT;
}

/** `scatter-region` */
export function readScatter(view: PdView, asked: JsonObject): Answer {
  return regionFault(view, asked) ?? CANNOT_RUN;
}

/** `scatter-regions`: PD tells of each region by itself, so none is looked for here. */
export function readScatterAll({ region_ids: ids }: JsonObject): Answer {
  const areIds = Array.isArray(ids) && ids.every((id) => typeof id === 'number');
  return areIds ? CANNOT_RUN : json('region_ids is invalid', 400);
}

function policyFault(policy: string, keys: readonly string[]): Answer | null {
  const known = policy.toUpperCase();
  if (!POLICIES.includes(known)) return json(`check policy ${policy} is not supported`, 500);
  const bad = known === 'USEKEY' ? keys.find((key) => !/^([0-9a-f]{2})*$/i.test(key)) : undefined;
  return bad === undefined ? null : json(`split key ${bad} is not in hex format`, 500);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** As many voters as the rule wants, all there with their data. */
function isWhole({ state }: PdView, { region, downPeers, pendingPeers }: RegionReport): boolean {
  const voters = region.peers.filter(({ role }) => role === 'Voter');
  const complete = voters.length === maxReplicas(state) && region.peers.length === voters.length;
  return complete && downPeers.length === 0 && pendingPeers.length === 0;
}

/** The last region ends, and the first one begins, with the empty key, which does not make them neighbours. */
function areNeighbours(reports: readonly RegionReport[]): boolean {
  const [a, b] = reports.map(({ region }) => region);
  if (a === undefined || b === undefined) return false;
  return (a.startKey !== '' && a.startKey === b.endKey) || (a.endKey !== '' && a.endKey === b.startKey);
}
