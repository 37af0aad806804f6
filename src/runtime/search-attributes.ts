import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../../workflows/contract.js';
import { MedicError } from '../domain/errors.js';

const { IndexedValueType } = proto.temporal.api.enums.v1;
const KEYWORD = IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
const VISIBLE_WITHIN_MS = 10_000;
const POLL_MS = 100;

/** Where the attributes have to be. */
export interface AttributePlace {
  readonly connection: Connection;
  readonly namespace: string;
}

/**
 * Registers Medic's search attributes where they are missing and compares the types of those that are there. To be called before
 * any worker starts: a workflow that sets an unknown attribute hangs for ever, and the server answers OK to registering one under a
 * second type, without changing it.
 *
 * @throws MedicError `MEDIC_TEMPORAL_SEARCH_ATTRIBUTE` if one has another type or does not appear
 */
export async function ensureSearchAttributes(place: AttributePlace): Promise<void> {
  const missing = await missingOf(place);
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
  await place.connection.operatorService.addSearchAttributes({ namespace: place.namespace, searchAttributes });
  await untilVisible(place);
}

async function untilVisible(place: AttributePlace): Promise<void> {
  const deadlineMs = Date.now() + VISIBLE_WITHIN_MS;
  for (;;) {
    const missing = await missingOf(place);
    if (missing.length === 0) return;
    if (Date.now() > deadlineMs) throw notThere({ missing, namespace: place.namespace });
    await pause(POLL_MS);
  }
}

/** Names that are not registered. Throws for one that is, under another type than Keyword. */
async function missingOf({ connection, namespace }: AttributePlace): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  for (const name of SEARCH_ATTRIBUTES) {
    const type = customAttributes[name];
    if (type !== undefined && type !== KEYWORD) throw otherType({ name, type, namespace });
  }
  return SEARCH_ATTRIBUTES.filter((name) => customAttributes[name] === undefined);
}

function otherType({ name, type, namespace }: { name: string; type: number; namespace: string }): MedicError {
  const found = (IndexedValueType[type] ?? String(type)).replace('INDEXED_VALUE_TYPE_', '').toLowerCase();
  return new MedicError(
    'MEDIC_TEMPORAL_SEARCH_ATTRIBUTE',
    `search attribute ${name} of namespace ${namespace} is of type ${found}, not keyword`,
  );
}

function notThere({ missing, namespace }: { missing: string[]; namespace: string }): MedicError {
  return new MedicError(
    'MEDIC_TEMPORAL_SEARCH_ATTRIBUTE',
    `namespace ${namespace} does not show ${missing.join(', ')} ${VISIBLE_WITHIN_MS / 1000} s after they were registered`,
    'Register them as Keyword with `temporal operator search-attribute create`.',
  );
}
