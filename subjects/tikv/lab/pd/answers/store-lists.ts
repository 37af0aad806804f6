import type { StoreLabel, StoreMeta } from '../model.js';
import { silenceOf } from '../settings.js';
import { type StateName, stateName } from '../stores.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';
import { storeList } from './stores.js';

const STATE_NAMES: readonly StateName[] = ['Up', 'Disconnected', 'Down', 'Offline', 'Tombstone'];

/** `GET /stores/check?state=`: by the names that a person knows, in any case; repeatable. */
export function storesByState(view: PdView, query: URLSearchParams): Answer {
  const asked = query.getAll('state').map((name) => ({ name, state: stateOf(name) }));
  const unknown = asked.find(({ state }) => state === undefined);
  if (unknown !== undefined) return json(`unknown StoreState: ${unknown.name}`, 400);
  const states = asked.map(({ state }) => state);
  return storeList(view, (store) => states.length === 0 || states.includes(nameNow(view, store)));
}

/** `GET /labels`: every label of every store, once each. */
export function labels(view: PdView): Answer {
  const all = Object.values(view.state.stores).flatMap((store) => store.labels);
  const once = new Map(all.map((label) => [`${label.key}=${label.value}`, label]));
  return json([...once.values()].map(({ key, value }) => ({ key, value })));
}

/** `GET /labels/stores?name=&value=`: the stores with a label that matches both as patterns; Tombstones too. */
export function storesWithLabel(view: PdView, query: URLSearchParams): Answer {
  const [name, value] = [pattern(query.get('name')), pattern(query.get('value'))];
  if (name === null || value === null) return json('error parsing regexp', 400);
  const matches = (label: StoreLabel) => name.test(label.key) && value.test(label.value);
  return storeList(view, (store) => store.labels.some(matches));
}

function stateOf(name: string): StateName | undefined {
  return STATE_NAMES.find((known) => known.toLowerCase() === name.toLowerCase());
}

function nameNow(view: PdView, store: StoreMeta): StateName {
  return stateName(store, silenceOf(view), view.nowNs - view.heartbeats.lastHeartbeatNs(store));
}

function pattern(text: string | null): RegExp | null {
  try {
    return new RegExp(text ?? '', 'i');
  } catch {
    return null;
  }
}
