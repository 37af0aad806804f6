import { holdsKey } from './layout.js';
import type { ListedRegion, PdDirectory } from './pd-http.js';

/** A region as a client last saw it, with the addresses to try, the supposed leader's first. */
export interface CachedRegion {
  readonly id: number;
  readonly leader: string | null;
  readonly addresses: readonly string[];
}

/** What a client remembers of who leads which region. */
export interface RegionCache {
  /** Reads PD only when nothing fits the key; null when PD did not answer either. */
  find(key: string): Promise<CachedRegion | null>;
  /** A store named the leader, or turned out not to be it. */
  setLeader(regionId: number, address: string | null): void;
  /** What is remembered proved wrong; PD is read again, but not more often than the minimum distance. */
  refresh(): Promise<void>;
}

export interface RegionCacheOptions {
  readonly directory: PdDirectory;
  /** Shortest time between two reads of PD's lists. */
  readonly minRefreshMs: number;
  readonly monotonicMs: () => number;
}

interface Known extends ListedRegion {
  readonly addresses: readonly string[];
  leader: string | null;
}

/** Starts empty. */
export function createRegionCache({ directory, minRefreshMs, monotonicMs }: RegionCacheOptions): RegionCache {
  let known: Known[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const [stores, regions] = await Promise.all([directory.stores(), directory.regions()]);
    readAt = monotonicMs();
    if (stores === null || regions === null) return;
    const addressOf = new Map(stores.map(({ id, address }) => [id, address]));
    known = regions.map((region) => ({
      ...region,
      addresses: region.storeIds.flatMap((id) => addressOf.get(id) ?? []),
      leader: region.leaderStore === null ? null : (addressOf.get(region.leaderStore) ?? null),
    }));
  }

  async function refresh(): Promise<void> {
    if (reading === null && monotonicMs() - readAt < minRefreshMs) return;
    reading ??= read().finally(() => {
      reading = null;
    });
    await reading;
  }

  return {
    async find(key) {
      const holds = (region: Known) => holdsKey(region, key);
      if (!known.some(holds)) await refresh();
      return known.find(holds) ?? null;
    },
    setLeader(regionId, address) {
      const region = known.find(({ id }) => id === regionId);
      if (region !== undefined) region.leader = address;
    },
    refresh,
  };
}
