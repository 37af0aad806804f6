import { type Answer, json, parseErrorText } from '../answers/answer.js';
import { OPERATOR_NOT_FOUND } from '../answers/operators.js';
import { storeNotFound } from '../answers/stores.js';
import type { RegionReport } from '../model.js';
import type { Ask, Outcome } from '../route.js';
import type { HandWish, OperatorOrder } from '../schedule/hand.js';
import type { PdView } from '../view.js';
import { regionFault, regionNotFound, regionOf } from './asked-region.js';
import { type JsonObject, readObject } from './body.js';
import { CANNOT_RUN, readMerge, readScatter, readScatterAll, readSplit } from './reshaping.js';

const CREATED = json('The operator is created.');
const NOT_ADDED = json('[PD:operator:ErrAddOperator]failed to add operator, maybe already have one', 500);
const NO_STEP = json('no operator step is built', 500);

/** PD's complaint about a body, or what is to be started for it. */
type Reading = Answer | HandWish;

const READERS: Readonly<Record<string, (view: PdView, asked: JsonObject) => Reading>> = {
  'transfer-leader': readTransferLeader,
  'transfer-region': (view, asked) =>
    regionFault(view, asked) ??
    (Array.isArray(asked.peer_roles)
      ? CANNOT_RUN
      : json('transfer region without peer role is not supported when placement rules enabled', 500)),
  'transfer-peer': readTransferPeer,
  'add-peer': (view, asked) => readAddPeer(view, { asked, role: 'Voter' }),
  'add-learner': (view, asked) => readAddPeer(view, { asked, role: 'Learner' }),
  'remove-peer': readRemovePeer,
  'merge-region': readMerge,
  'split-region': readSplit,
  'scatter-region': readScatter,
  'scatter-regions': (_, asked) => readScatterAll(asked),
};

/** `POST /operators`. "Created" means that its first step was told to the region's leader, not that it is done. */
export function addOperator(view: PdView, { body }: Ask): Outcome {
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const { name } = read.value;
  if (typeof name !== 'string') return json('missing operator name', 400);
  const reader = READERS[name];
  if (reader === undefined) return json('unknown operator', 400);
  const reading = reader(view, read.value);
  if (!('kind' in reading)) return reading;
  return { commands: [], operators: [{ kind: 'start', wish: reading }], answer: CREATED, refusedAnswer: NOT_ADDED };
}

/** `DELETE /operators`: all of them. */
export function removeOperators({ schedule }: PdView): Outcome {
  const operators = schedule.operators.map(({ regionId }): OperatorOrder => ({ kind: 'cancel', regionId }));
  return { commands: [], operators, answer: json('All pending operators are canceled.') };
}

/** `DELETE /operators/{region}` */
export function removeOperator({ schedule }: PdView, id: string): Outcome {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const regionId = Number(id);
  if (!schedule.operators.some((each) => each.regionId === regionId)) return OPERATOR_NOT_FOUND;
  return {
    commands: [],
    operators: [{ kind: 'cancel', regionId }],
    answer: json('The pending operator is canceled.'),
    refusedAnswer: OPERATOR_NOT_FOUND,
  };
}

function readTransferLeader(view: PdView, asked: JsonObject): Reading {
  if (typeof asked.region_id !== 'number') return json('missing region id', 400);
  const to = asked.to_store_id;
  if (typeof to !== 'number') return json('missing store id to transfer leader to', 400);
  const region = regionOf(view, asked);
  if (region === undefined) return regionNotFound(asked.region_id);
  const voter = region.region.peers.find(({ storeId, role }) => storeId === to && role === 'Voter');
  if (voter === undefined) return json(`region has no voter in store ${to}`, 500);
  if (region.leader?.storeId === to) return NO_STEP;
  return region.leader === null ? noLeader() : { kind: 'transfer-leader', regionId: region.region.id, to };
}

function readTransferPeer(view: PdView, asked: JsonObject): Reading {
  const fault = regionFault(view, asked) ?? targetFault(view, asked, 'to_store_id');
  if (fault !== null) return fault;
  const [from, to] = [asked.from_store_id, Number(asked.to_store_id)];
  if (typeof from !== 'number') return json('invalid store id to transfer peer from', 400);
  if (!hasPeer(regionOf(view, asked), from)) return json(`region has no peer in store ${from}`, 500);
  return leaderFault(view, asked) ?? { kind: 'move-peer', regionId: Number(asked.region_id), from, to };
}

function readAddPeer(
  view: PdView,
  { asked, role }: { readonly asked: JsonObject; readonly role: 'Voter' | 'Learner' },
): Reading {
  const fault = regionFault(view, asked) ?? targetFault(view, asked, 'store_id') ?? leaderFault(view, asked);
  return fault ?? { kind: 'add-peer', regionId: Number(asked.region_id), to: Number(asked.store_id), role };
}

function readRemovePeer(view: PdView, asked: JsonObject): Reading {
  const fault = regionFault(view, asked);
  if (fault !== null) return fault;
  const from = asked.store_id;
  if (typeof from !== 'number') return json('invalid store id to transfer peer to', 400);
  if (!hasPeer(regionOf(view, asked), from)) return json(`region has no peer in store ${from}`, 500);
  return leaderFault(view, asked) ?? { kind: 'remove-peer', regionId: Number(asked.region_id), from };
}

function targetFault(view: PdView, asked: JsonObject, key: 'store_id' | 'to_store_id'): Answer | null {
  const to = asked[key];
  if (typeof to !== 'number') return json('invalid store id to transfer peer to', 400);
  if (hasPeer(regionOf(view, asked), to)) return json(`region already has peer in store ${to}`, 500);
  return view.state.stores[to] === undefined ? storeNotFound(to, 500) : null;
}

function leaderFault(view: PdView, asked: JsonObject): Answer | null {
  return regionOf(view, asked)?.leader === null ? noLeader() : null;
}

function noLeader(): Answer {
  return json('cannot build operator for region with no leader', 500);
}

function hasPeer(report: RegionReport | undefined, storeId: number): boolean {
  return report?.region.peers.some((peer) => peer.storeId === storeId) ?? false;
}
