import { type Answer, inputError, json, parseErrorText } from '../answers/answer.js';
import { storeNotFound } from '../answers/stores.js';
import { goKind, offsetAfter } from '../go-json.js';
import type { StoreLabel, StoreLimit } from '../model.js';
import type { Ask, Outcome } from '../route.js';
import type { Command } from '../state.js';
import type { PdView } from '../view.js';
import { type JsonObject, type Read, readJson, readObject, wrongType } from './body.js';

/** PD's formats of a label (PD: `config.ValidateLabels`). */
const KEY_FORMAT = '^[$]?[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?$';
const VALUE_FORMAT = '^[-A-Za-z0-9_./]*$';

/** `POST /store/{id}/label[?force]`: adds to the labels, or replaces them all. A Tombstone takes labels, too. */
export function labelStore(view: PdView, id: string, { body, query }: Ask): Outcome {
  return withId(id, () => {
    const read = readLabels(body);
    if (!read.ok) return read.answer;
    const store = view.state.stores[Number(id)];
    if (store === undefined) return invalidStoreId(id);
    const newKeys = new Set(read.value.map(({ key }) => key));
    const kept = query.has('force') ? [] : store.labels.filter(({ key }) => !newKeys.has(key));
    const change = { labels: [...kept, ...read.value] };
    return {
      commands: [{ kind: 'change-store', storeId: store.id, change }],
      answer: json("The store's label is updated."),
    };
  });
}

/** `DELETE /store/{id}/label`, the key as a JSON string in the body. */
export function unlabelStore(view: PdView, id: string, { body }: Ask): Outcome {
  return withId(id, () => {
    const read = readJson(body);
    if (!read.ok) return read.answer;
    const key = read.value;
    if (typeof key !== 'string') return wrongType({ got: goKind(key), goType: 'string', offset: body.length });
    const store = view.state.stores[Number(id)];
    if (store === undefined) return invalidStoreId(id);
    const labels = store.labels.filter((label) => label.key !== key);
    if (labels.length === store.labels.length) return json(`the label key ${key} does not exist`, 500);
    return {
      commands: [{ kind: 'change-store', storeId: store.id, change: { labels } }],
      answer: json(`The label ${key} is deleted for store ${id}.`),
    };
  });
}

/** `POST /store/{id}/weight`: both weights, 0 or more. */
export function weighStore(view: PdView, id: string, { body }: Ask): Outcome {
  return withId(id, () => {
    const read = readObject(body);
    if (!read.ok) return read.answer;
    const { leader, region } = read.value;
    if (leader === undefined) return json('leader weight unset', 400);
    if (region === undefined) return json('region weight unset', 400);
    if (!isWeight(leader)) return json('bad format leader weight', 400);
    if (!isWeight(region)) return json('bad format region weight', 400);
    if (view.state.stores[Number(id)] === undefined) return storeNotFound(id, 500);
    return {
      commands: [{ kind: 'weigh-store', storeId: Number(id), weight: { leader, region } }],
      answer: json("The store's weight is updated."),
    };
  });
}

/** `POST /store/{id}/limit`: without a type, both kinds. */
export function limitStore(view: PdView, id: string, { body }: Ask): Outcome {
  return withId(id, () => {
    const read = readLimit(body);
    if (!read.ok) return read.answer;
    if (view.state.stores[Number(id)] === undefined) return storeNotFound(id, 500);
    return {
      commands: [{ kind: 'limit-store', storeId: Number(id), limit: read.value }],
      answer: json("The store's limit is updated."),
    };
  });
}

/** `POST /stores/limit`: every store that is not Tombstone. */
export function limitStores({ state }: PdView, { body }: Ask): Outcome {
  const read = readLimit(body);
  if (!read.ok) return read.answer;
  const living = Object.values(state.stores).filter((store) => store.state !== 'Tombstone');
  return {
    commands: living.map(({ id }): Command => ({ kind: 'limit-store', storeId: id, limit: read.value })),
    answer: json('Set store limit successfully.'),
  };
}

function readLabels(body: string): Read<readonly StoreLabel[]> {
  const read = readObject(body, 'map[string]string');
  if (!read.ok) return read;
  const entries = Object.entries(read.value);
  for (const [key, value] of entries) {
    if (typeof value !== 'string') {
      const answer = wrongType({ got: goKind(value), goType: 'string', offset: offsetAfter(body, key) });
      return { ok: false, answer };
    }
    const fault = formatFault(key, KEY_FORMAT) ?? formatFault(value, VALUE_FORMAT);
    if (fault !== null) return { ok: false, answer: inputError(fault) };
  }
  return { ok: true, value: entries.map(([key, value]) => ({ key, value: String(value) })) };
}

function formatFault(text: string, format: string): string | null {
  return new RegExp(format).test(text) ? null : `${text} does not match format ${JSON.stringify(format)}`;
}

function readLimit(body: string): Read<Partial<StoreLimit>> {
  const read = readObject(body);
  if (!read.ok) return read;
  const fault = limitFault(read.value);
  if (fault !== null) return { ok: false, answer: json(fault, 400) };
  const rate = Number(read.value.rate);
  const { type } = read.value;
  return {
    ok: true,
    value: {
      ...(type === 'remove-peer' ? {} : { 'add-peer': rate }),
      ...(type === 'add-peer' ? {} : { 'remove-peer': rate }),
    },
  };
}

function limitFault({ rate, type }: JsonObject): string | null {
  if (rate === undefined) return 'rate unset';
  if (typeof rate !== 'number' || rate <= 0) return 'invalid rate which should be larger than 0';
  return type === undefined || type === 'add-peer' || type === 'remove-peer' ? null : 'unknown type';
}

function isWeight(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

function invalidStoreId(id: string): Answer {
  return json(`[PD:cluster:ErrInvalidStoreID]invalid store id ${id}, not found`, 500);
}

function withId(id: string, act: () => Outcome): Outcome {
  return /^\d+$/.test(id) ? act() : inputError(parseErrorText('ParseUint', id));
}
