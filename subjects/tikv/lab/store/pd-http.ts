/** Client URLs of the PD members; any of them answers for all. */
export type PdEndpoints = readonly string[];

/** A store as PD lists it. */
export interface ListedStore {
  readonly id: number;
  readonly address: string;
}

/** A region as PD lists it. Keys are text again, as the layout chose them. */
export interface ListedRegion {
  readonly id: number;
  readonly startKey: string;
  readonly endKey: string;
  readonly storeIds: readonly number[];
  /** Null while PD knows no leader. */
  readonly leaderStore: number | null;
}

/** The two lists that a store and its clients read from PD's HTTP API; null when no member answered. */
export interface PdDirectory {
  stores(): Promise<ListedStore[] | null>;
  regions(): Promise<ListedRegion[] | null>;
}

/** Asks one member after the other, the one that answered last time first. */
export function pdDirectory(pd: PdEndpoints, timeoutMs: number): PdDirectory {
  let order = [...pd];
  async function get(path: string): Promise<unknown> {
    for (const url of order) {
      const body = await getJson(`${url}/pd/api/v1/${path}`, timeoutMs);
      if (body === null) continue;
      order = [url, ...order.filter((other) => other !== url)];
      return body;
    }
    return null;
  }
  return {
    async stores() {
      const body = (await get('stores')) as { stores?: RawStore[] | null } | null;
      return body === null ? null : (body.stores ?? []).map(({ store }) => ({ id: store.id, address: store.address }));
    },
    async regions() {
      const body = (await get('regions')) as { regions?: RawRegion[] | null } | null;
      return body === null ? null : (body.regions ?? []).map(listedRegion);
    },
  };
}

interface RawStore {
  readonly store: { readonly id: number; readonly address: string };
}

interface RawRegion {
  readonly id: number;
  readonly start_key: string;
  readonly end_key: string;
  readonly peers?: { readonly store_id?: number }[] | null;
  readonly leader?: { readonly store_id?: number };
}

/** Null for any answer but 200: followers without a leader answer 500 or 503 with a text. */
async function getJson(url: string, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    return response.status === 200 ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

function listedRegion(region: RawRegion): ListedRegion {
  return {
    id: region.id,
    startKey: Buffer.from(region.start_key, 'hex').toString(),
    endKey: Buffer.from(region.end_key, 'hex').toString(),
    storeIds: (region.peers ?? []).map((peer) => peer.store_id ?? 0),
    leaderStore: region.leader?.store_id || null,
  };
}
