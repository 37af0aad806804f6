import { instant } from '../../../src/domain/ids.js';
import { gap, known, mapReading, type Reading } from '../../../src/domain/reading.js';
import type { TikvInventory } from '../inventory.js';
import type { Reach, Store } from '../picture.js';
import { askHttp } from './http.js';
import { reachOf, withWitness } from './pd-members.js';
import type { PdStoreEntry } from './pd-schemas.js';
import { readStores, type StoreNames } from './pd-stores.js';
import type { WitnessOf } from './witness.js';

export interface PortLook {
  readonly inventory: TikvInventory;
  readonly requestMs: number;
  readonly clock: () => number;
}

/** How each status port of the inventory met a `GET /status` of our own, by the store's name. */
export async function lookAtPorts(
  { inventory, requestMs, clock }: PortLook,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Reading<Reach>>> {
  const looks = inventory.stores.map(async ({ name, statusAddress }): Promise<[string, Reading<Reach>]> => {
    const outcome = await askHttp({
      origin: `http://${statusAddress}`,
      method: 'GET',
      path: '/status',
      deadlineMs: requestMs,
      signal,
    });
    return [name, known(reachOf(outcome), { at: instant(clock()), source: `${name} GET /status` })];
  });
  return new Map(await Promise.all(looks));
}

export interface StoreFacts {
  readonly inventory: TikvInventory;
  readonly entries: Reading<readonly PdStoreEntry[]>;
  readonly names: StoreNames;
  readonly ports: ReadonlyMap<string, Reading<Reach>>;
  readonly witnessOf: WitnessOf;
}

/** Everything known of each store of the inventory, and of those that only PD knows. */
export function storesOf({ inventory, entries, names, ports, witnessOf }: StoreFacts): Store[] {
  const ours = inventory.stores.map(({ name }) => name);
  const listed = mapReading(entries, (list) => new Map(readStores(list, names).map((one) => [one.name, one.store])));
  const strangers = [...names.values()].filter((name) => !ours.includes(name));
  return [...ours, ...strangers].map((name) =>
    withWitness(
      { name, pd: mapReading(listed, (list) => list.get(name) ?? null), reach: portOf(ports, name) },
      witnessOf,
    ),
  );
}

function portOf(ports: ReadonlyMap<string, Reading<Reach>>, name: string): Reading<Reach> {
  const [any] = ports.values();
  const seen = { at: any?.observedAt ?? instant(0), source: 'inventory' };
  return ports.get(name) ?? gap(`${name} is not in the inventory`, seen);
}
