import { type Answer, json } from '../answers/answer.js';
import { operator } from '../answers/operators.js';
import { storeNotFound } from '../answers/stores.js';
import type { RegionReport } from '../model.js';
import type { Ask, Outcome } from '../route.js';
import type { PdView } from '../view.js';
import { type JsonObject, readObject } from './body.js';

/** Nothing schedules, so no operator that PD would take could ever end. */
const CANNOT_RUN = json('this stand-in of PD runs no operators', 501);

/** Why PD would not take an operator, null if it would. */
type Fault = (view: PdView, asked: JsonObject) => Answer | null;

const FAULTS: Readonly<Record<string, Fault>> = {
  'transfer-leader': transferLeaderFault,
  'transfer-region': (view, asked) =>
    regionFault(view, asked) ??
    (Array.isArray(asked.peer_roles)
      ? null
      : json('transfer region without peer role is not supported when placement rules enabled', 500)),
  'transfer-peer': (view, asked) => regionFault(view, asked) ?? targetFault(view, asked, 'to_store_id'),
  'add-peer': (view, asked) => regionFault(view, asked) ?? targetFault(view, asked, 'store_id'),
  'add-learner': (view, asked) => regionFault(view, asked) ?? targetFault(view, asked, 'store_id'),
  'remove-peer': removePeerFault,
  'merge-region': (view, asked) => regionFault(view, { region_id: asked.source_region_id }),
  'split-region': splitFault,
  'scatter-region': regionFault,
};

/** `POST /operators`: PD's complaints; an operator that PD would take is refused. */
export function addOperator(view: PdView, { body }: Ask): Outcome {
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const { name } = read.value;
  if (typeof name !== 'string') return json('missing operator name', 400);
  const fault = FAULTS[name];
  return fault === undefined ? json('unknown operator', 400) : (fault(view, read.value) ?? CANNOT_RUN);
}

/** `DELETE /operators`: there are none. */
export function removeOperators(): Outcome {
  return json('All pending operators are canceled.');
}

/** `DELETE /operators/{region}`: it never has one. */
export function removeOperator(id: string): Outcome {
  return operator(id);
}

function transferLeaderFault(view: PdView, asked: JsonObject): Answer | null {
  if (typeof asked.region_id !== 'number') return json('missing region id', 400);
  const to = asked.to_store_id;
  if (typeof to !== 'number') return json('missing store id to transfer leader to', 400);
  const region = regionOf(view, asked);
  if (region === undefined) return regionNotFound(asked.region_id);
  const voter = region.region.peers.find(({ storeId, role }) => storeId === to && role === 'Voter');
  if (voter === undefined) return json(`region has no voter in store ${to}`, 500);
  return region.leader?.storeId === to ? json('no operator step is built', 500) : null;
}

function removePeerFault(view: PdView, asked: JsonObject): Answer | null {
  const fault = regionFault(view, asked);
  if (fault !== null) return fault;
  const from = asked.store_id;
  if (typeof from !== 'number') return json('invalid store id to transfer peer from', 400);
  return hasPeer(regionOf(view, asked), from) ? null : json(`region has no peer in store ${from}`, 500);
}

function targetFault(view: PdView, asked: JsonObject, key: 'store_id' | 'to_store_id'): Answer | null {
  const to = asked[key];
  if (typeof to !== 'number') return json('invalid store id to transfer peer to', 400);
  if (hasPeer(regionOf(view, asked), to)) return json(`region already has peer in store ${to}`, 500);
  return view.state.stores[to] === undefined ? storeNotFound(to, 500) : null;
}

function splitFault(view: PdView, asked: JsonObject): Answer | null {
  const fault = regionFault(view, asked);
  if (fault !== null) return fault;
  const policy = String(asked.policy);
  return ['scan', 'approximate', 'usekey'].includes(policy)
    ? null
    : json(`check policy ${policy} is not supported`, 500);
}

function regionFault(view: PdView, asked: JsonObject): Answer | null {
  if (typeof asked.region_id !== 'number') return json('missing region id', 400);
  return regionOf(view, asked) === undefined ? regionNotFound(asked.region_id) : null;
}

function regionNotFound(id: number): Answer {
  return json(`[PD:region:ErrRegionNotFound]region ${id} not found`, 500);
}

function regionOf(view: PdView, { region_id: id }: JsonObject): RegionReport | undefined {
  return view.regions.get(Number(id));
}

function hasPeer(report: RegionReport | undefined, storeId: number): boolean {
  return report?.region.peers.some((peer) => peer.storeId === storeId) ?? false;
}
