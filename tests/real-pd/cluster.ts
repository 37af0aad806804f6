import { afterAll, beforeAll } from '@jest/globals';
import { createStoreClient, type StoreClient } from '../../subjects/tikv/lab/store/client.js';
import { PROFILES } from '../../subjects/tikv/profiles.js';
import { type Stores, storeProcesses } from '../subjects/tikv/lab/store/store-processes.js';
import { until } from '../support/until.js';
import { PD_KIND, type PdUnderTest, startPdUnderTest } from './pd-under-test.js';

/** A store as PD lists it. Ids fit into a number here. */
export interface ListedStore {
  readonly store: { readonly id: number; readonly address: string; readonly state_name: string };
  readonly status: {
    readonly leader_count?: number;
    readonly region_count?: number;
    readonly last_heartbeat_ts?: string;
  };
}

export interface ListedRegion {
  readonly start_key: string;
  readonly end_key: string;
  readonly peers: readonly { readonly store_id: number; readonly role_name: string }[];
  readonly leader?: { readonly store_id?: number };
  readonly down_peers?: readonly object[];
  readonly pending_peers?: readonly object[];
}

/** The lab's four stores, with the PD under test. */
export interface Cluster {
  readonly pd: PdUnderTest;
  readonly stores: Stores;
  /** An application of the stores. */
  readonly client: StoreClient;
  get<T>(path: string): Promise<T>;
  /** Status and text of a change. */
  send(method: 'POST' | 'DELETE', path: string, body?: object): Promise<string>;
  listed(): Promise<readonly ListedStore[]>;
  /** Waits until the list of stores is as wanted; at the deadline it throws with what was seen. */
  settled(
    what: string,
    is: (stores: readonly ListedStore[]) => boolean,
    deadlineMs?: number,
  ): Promise<readonly ListedStore[]>;
}

/** Seed regions of {@link storeProcesses}. */
export const REGIONS = 24;

/** A real PD has its own pace, and ends connections on which is asked every 2 s whether it lives: its stores do as TiKV does. */
const PROFILE = PROFILES[PD_KIND === 'real' ? 'real' : 'fast'];

/** A time of the stand-in, in the times of the PD under test. */
export function scaled(ms: number): number {
  return (ms * PROFILE.cluster.storeHeartbeatMs) / PROFILES.fast.cluster.storeHeartbeatMs;
}

const PATIENCE_MS = scaled(90_000);

/** Region leaders call a silent peer down after this time. */
const PEER_DOWN_MS = scaled(3_000);

/** Starts one before the tests of a file and ends it after them. */
export function withCluster(): Cluster {
  let pd: PdUnderTest | undefined;
  let stores: Stores | undefined;
  let client: StoreClient | undefined;
  beforeAll(async () => {
    pd = await startPdUnderTest();
    const { name: profile } = PROFILE;
    stores = await storeProcesses({
      pd: [pd.url],
      count: 4,
      regions: REGIONS,
      profile,
      maxPeerDownMs: PEER_DOWN_MS,
    });
    client = createStoreClient({ pd: [pd.url], attemptMs: scaled(1_000), giveUpMs: PATIENCE_MS });
    await until('PD answers', async () => (await answers(need(pd).url)) || undefined, {
      deadlineMs: PATIENCE_MS,
      seen: () => need(pd).tail(),
    });
    for (const node of stores.nodes) stores.start(node);
  }, PATIENCE_MS + 10_000);
  afterAll(async () => {
    client?.close();
    await stores?.stop();
    await pd?.stop();
  });

  const url = (path: string) => `${need(pd).url}/pd/api/v1/${path}`;
  async function get<T>(path: string): Promise<T> {
    const response = await fetch(url(path));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
  const listed = async () => (await get<{ stores: ListedStore[] }>('stores')).stores;

  return {
    get pd() {
      return need(pd);
    },
    get stores() {
      return need(stores);
    },
    get client() {
      return need(client);
    },
    get,
    listed,
    async send(method, path, body) {
      const response = await fetch(url(path), { method, body: body && JSON.stringify(body) });
      return `${response.status} ${(await response.text()).trim()}`;
    },
    async settled(what, is, deadlineMs = PATIENCE_MS) {
      let seen: readonly ListedStore[] = [];
      const look = async () => {
        seen = await listed().catch(() => []);
        return is(seen) ? seen : undefined;
      };
      return until(what, look, { deadlineMs, everyMs: 200, seen: () => ({ stores: seen, pd: need(pd).tail() }) });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/pd/api/v1/leader`).catch(() => null);
  return response?.status === 200;
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the cluster is not there before beforeAll has run');
  return value;
}
