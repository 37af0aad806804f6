import { instant } from '../../../src/domain/ids.js';
import { gap, known, mapReading, type Reading } from '../../../src/domain/reading.js';
import type { TikvInventory } from '../inventory.js';
import type { ClientPort, Reach, Store } from '../picture.js';
import { knock } from './client-port.js';
import { askHttp, type HttpAccess } from './http.js';
import { reachOf, withWitness } from './pd-members.js';
import type { PdStoreEntry } from './pd-schemas.js';
import { readStores, type StoreNames } from './pd-stores.js';
import { statusDoor } from './status-door.js';
import type { WitnessOf } from './witness.js';

export interface PortLook {
  readonly inventory: TikvInventory;
  readonly requestMs: number;
  readonly clock: () => number;
  readonly access?: () => HttpAccess;
}

/** How the two ports of a store met our client. */
export interface StorePorts {
  readonly reach: Reading<Reach>;
  readonly clientPort: Reading<ClientPort>;
}

/** How each store of the inventory met a `GET /status` and a bare connection of our own, by the store's name. */
export async function lookAtPorts(
  { inventory, requestMs, clock, access }: PortLook,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, StorePorts>> {
  const looks = inventory.stores.map(async ({ name, address, statusAddress }): Promise<[string, StorePorts]> => {
    const status = {
      ...statusDoor(statusAddress, access?.()),
      method: 'GET',
      path: '/status',
      deadlineMs: requestMs,
    } as const;
    const [outcome, door] = await Promise.all([
      askHttp({ ...status, signal }),
      knock({ address, deadlineMs: requestMs, signal }),
    ]);
    const at = instant(clock());
    return [
      name,
      {
        reach: known(reachOf(outcome), { at, source: `${name} GET /status` }),
        clientPort: known(door, { at, source: `${name} client port` }),
      },
    ];
  });
  return new Map(await Promise.all(looks));
}

export interface StoreFacts {
  readonly inventory: TikvInventory;
  readonly entries: Reading<readonly PdStoreEntry[]>;
  readonly names: StoreNames;
  readonly ports: ReadonlyMap<string, StorePorts>;
  readonly witnessOf: WitnessOf;
}

/** Everything known of each store of the inventory, and of those that only PD knows. */
export function storesOf({ inventory, entries, names, ports, witnessOf }: StoreFacts): Store[] {
  const ours = inventory.stores.map(({ name }) => name);
  const listed = mapReading(entries, (list) => new Map(readStores(list, names).map((one) => [one.name, one.store])));
  const strangers = [...names.values()].filter((name) => !ours.includes(name));
  return [...ours, ...strangers].map((name) =>
    withWitness({ name, pd: mapReading(listed, (list) => list.get(name) ?? null), ...portsOf(ports, name) }, witnessOf),
  );
}

function portsOf(ports: ReadonlyMap<string, StorePorts>, name: string): StorePorts {
  const [any] = ports.values();
  const stranger = gap(`${name} is not in the inventory`, {
    at: any?.reach.observedAt ?? instant(0),
    source: 'inventory',
  });
  return ports.get(name) ?? { reach: stranger, clientPort: stranger };
}
