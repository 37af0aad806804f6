import { type Instant, instant } from '../../../src/domain/ids.js';
import type { TikvInventory } from '../inventory.js';
import type { PdStore } from '../picture.js';
import type { PdStoreEntry } from './pd-schemas.js';

/** PD's stores by our names. */
export interface NamedStore {
  readonly name: string;
  readonly store: PdStore;
}

/** Names of store ids: by address from the inventory, else `store-<id>`. */
export type StoreNames = ReadonlyMap<string, string>;

/** A store that a region mentions and no list names: a tombstone, or one of another inventory. */
export const nameOfStore = (names: StoreNames, id: string): string => names.get(id) ?? `store-${id}`;

export function nameStores(entries: readonly PdStoreEntry[], inventory: TikvInventory): StoreNames {
  const byAddress = new Map(inventory.stores.map(({ name, address }) => [address, name]));
  return new Map(entries.map(({ store }) => [store.id, byAddress.get(store.address) ?? `store-${store.id}`]));
}

/** PD's entries in our words. */
export function readStores(entries: readonly PdStoreEntry[], names: StoreNames): NamedStore[] {
  return entries.map((entry) => ({ name: nameOfStore(names, entry.store.id), store: storeOf(entry, names) }));
}

function storeOf({ store, status }: PdStoreEntry, names: StoreNames): PdStore {
  return {
    id: store.id,
    state: store.state_name,
    lastHeartbeat: heartbeatOf(status.last_heartbeat_ts),
    startedAt: store.start_timestamp > 0 ? instant(store.start_timestamp * 1_000) : null,
    leaders: status.leader_count,
    regions: status.region_count,
    leaderScore: status.leader_score,
    regionScore: status.region_score,
    ...weightsOf(status),
    pendingPeers: status.pending_peer_count,
    slowScore: status.slow_score ? status.slow_score : null,
    networkSlowScores: Object.fromEntries(
      Object.entries(status.network_slow_score).map(([id, score]) => [nameOfStore(names, id), score]),
    ),
    available: status.available,
    capacity: status.capacity,
  };
}

function weightsOf({ leader_weight: leader, region_weight: region }: PdStoreEntry['status']): Pick<PdStore, 'weights'> {
  return leader === undefined || region === undefined ? {} : { weights: { leader, region } };
}

/** PD writes a store's missing heartbeat as the epoch itself. */
function heartbeatOf(text: string | undefined): Instant | null {
  const at = text === undefined ? Number.NaN : Date.parse(text);
  return at > 0 ? instant(at) : null;
}
