import type { Reading } from '../../../src/domain/reading.js';
import type { SubjectEyes } from '../../protocol.js';
import type { TikvInventory } from '../inventory.js';
import type { TikvPicture } from '../picture.js';
import type { Discovered } from './discover.js';

/** What was found of a cluster; `clusterId` null: nothing yet. */
export interface Found {
  readonly clusterId: string | null;
  readonly inventory: TikvInventory;
}

export interface FleetEyesOptions {
  readonly first: Found;
  readonly discover: () => Promise<Reading<Discovered>>;
  readonly openEyes: (inventory: TikvInventory) => SubjectEyes<TikvPicture>;
  /** Told of every new inventory. */
  readonly onFound: (found: Found) => Promise<void>;
  /** Told in words why another cluster at the old address is not taken for ours. */
  readonly warn: (why: string) => void;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Time between two discoveries, at least. */
  readonly everyMs: number;
}

/** Eyes on a cluster whose members come and go. */
export interface FleetEyes extends SubjectEyes<TikvPicture> {
  inventory(): TikvInventory;
}

/**
 * Looks at a cluster, and asks PD anew who is there when a picture shows somebody that it does not know, or misses somebody
 * that it does. What was remembered of scores and leaders begins again then, as after any change of a cluster.
 */
export function createFleetEyes(options: FleetEyesOptions): FleetEyes {
  const { first, discover, openEyes, onFound, warn, clock, everyMs } = options;
  let found = first;
  let eyes = openEyes(found.inventory);
  let askedAt = Number.NEGATIVE_INFINITY;
  let isStrange = found.clusterId === null;

  async function lookAround(): Promise<void> {
    if (!isStrange || clock() - askedAt < everyMs) return;
    askedAt = clock();
    const seen = await discover();
    if (!seen.known) return;
    const { clusterId, inventory } = seen.value;
    if (found.clusterId !== null && found.clusterId !== clusterId)
      return warn(`PD is of cluster ${clusterId}, not of ${found.clusterId} as before: its members are not taken over`);
    const isSame = clusterId === found.clusterId && JSON.stringify(inventory) === JSON.stringify(found.inventory);
    if (isSame) return;
    found = { clusterId, inventory };
    const old = eyes;
    eyes = openEyes(inventory);
    await old.close();
    await onFound(found);
  }

  return {
    inventory: () => found.inventory,
    async observe(tier, signal) {
      await lookAround();
      const picture = await eyes.observe(tier, signal);
      isStrange = found.clusterId === null || differs(picture, found.inventory);
      return picture;
    },
    http: (call, signal) => eyes.http(call, signal),
    close: () => eyes.close(),
  };
}

/** Only PD knows one of these stores, it does not know one of ours, or its members are others. */
function differs({ vitals }: TikvPicture, { pd, stores }: TikvInventory): boolean {
  const ours = new Set(stores.map(({ name }) => name));
  const isOther = vitals.stores.some((store) => !ours.has(store.name) || (store.pd.known && store.pd.value === null));
  if (isOther || !vitals.leadership.known) return isOther;
  const names = (members: readonly string[]) => [...members].sort().join();
  return names(vitals.leadership.value.members) !== names(pd.map(({ name }) => name));
}
