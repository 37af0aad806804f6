import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, type Attempt, type ClientLinks, createClientLinks } from './client-link.js';
import { type PdEndpoints, pdDirectory } from './pd-http.js';
import { type CachedRegion, createRegionCache, type RegionCache } from './region-cache.js';

export interface StoreClientOptions {
  readonly pd: PdEndpoints;
  /** Deadline of one attempt at one store. */
  readonly attemptMs: number;
  /** Time after which a request is given up, counted from its start. */
  readonly giveUpMs: number;
}

/** Why an attempt failed; `no-region` when PD named no store to ask. */
export type FailureKind = Exclude<Attempt['kind'], 'ok'> | 'no-region';

/** How many of each kind; a kind that never came is absent. */
export type FailureCounts = Readonly<Partial<Record<FailureKind, number>>>;

/** One failed attempt. */
export interface Failure {
  readonly kind: FailureKind;
  /** Null when no store was asked. */
  readonly address: string | null;
}

/**
 * Outcome of a request with the attempts that failed on the way. `gave-up` is never a promise that a write did not
 * happen: a later attempt repeats what an earlier one may have done.
 */
export type RequestResult<T> =
  /** `address`: of the store that served it. */
  | { readonly ok: true; readonly value: T; readonly address: string | null; readonly failures: readonly Failure[] }
  | { readonly ok: false; readonly reason: 'gave-up'; readonly failures: readonly Failure[] };

/** Reads and writes keys of the lab's stores, as an application of TiKV would. */
export interface StoreClient {
  get(key: string): Promise<RequestResult<string | null>>;
  put(key: string, value: string): Promise<RequestResult<null>>;
  /** Failed attempts of all requests so far, counted as they happen. */
  failedAttempts(): FailureCounts;
  close(): void;
}

/** Waits between two attempts of one request, doubled each time up to the maximum. */
const FIRST_WAIT_MS = 20;
const MAX_WAIT_MS = 320;
/** PD's lists are read at most this often, however many requests fail. */
const MIN_REFRESH_MS = 500;
/** Failures of one request that its result tells of; later ones are only counted. */
export const MAX_RECORDED_FAILURES = 64;

/**
 * Finds leaders through PD's HTTP API, remembers them, follows NotLeader hints and tries again until it gives up.
 *
 * @example
 * const client = createStoreClient({ pd: ['http://127.0.0.1:2379'], attemptMs: 2_000, giveUpMs: 15_000 });
 * const result = await client.get(regionKey(7, '-probe'));
 */
export function createStoreClient({ pd, attemptMs, giveUpMs }: StoreClientOptions): StoreClient {
  const links = createClientLinks();
  const directory = pdDirectory(pd, attemptMs);
  const cache = createRegionCache({ directory, minRefreshMs: MIN_REFRESH_MS, monotonicMs: () => performance.now() });

  const failedAttempts: Partial<Record<FailureKind, number>> = {};

  async function request(key: string, ask: Draft): Promise<RequestResult<string | null>> {
    const deadline = performance.now() + giveUpMs;
    const failures: Failure[] = [];
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return { ok: false, reason: 'gave-up', failures };
      const { attempt, address } = await tryOnce({ key, ask, cache, links, timeoutMs: Math.min(attemptMs, leftMs) });
      if (attempt.kind === 'ok') return { ok: true, value: attempt.value, address, failures };
      failedAttempts[attempt.kind] = (failedAttempts[attempt.kind] ?? 0) + 1;
      if (failures.length < MAX_RECORDED_FAILURES) failures.push({ kind: attempt.kind, address });
      if (attempt.kind === 'NotLeader' && attempt.hint !== null && wait === FIRST_WAIT_MS) continue;
      await sleep(Math.min(wait, Math.max(0, deadline - performance.now())));
    }
  }

  return {
    get: (key) => request(key, { kind: 'get', key }),
    put: async (key, value) => {
      const result = await request(key, { kind: 'put', key, value });
      return result.ok ? { ...result, value: null } : result;
    },
    failedAttempts: () => ({ ...failedAttempts }),
    close: links.close,
  };
}

/** A request before its region is known. */
type Draft =
  | { readonly kind: 'get'; readonly key: string }
  | { readonly kind: 'put'; readonly key: string; readonly value: string };

interface TryOptions {
  readonly key: string;
  readonly ask: Draft;
  readonly cache: RegionCache;
  readonly links: ClientLinks;
  readonly timeoutMs: number;
}

interface Tried {
  readonly attempt: Attempt | { readonly kind: 'no-region' };
  readonly address: string | null;
}

async function tryOnce({ key, ask, cache, links, timeoutMs }: TryOptions): Promise<Tried> {
  const region = await cache.find(key);
  const address = region === null ? undefined : (region.leader ?? anyOf(region));
  if (region === null || address === undefined) return { attempt: { kind: 'no-region' }, address: null };
  const attempt = await links.ask(address, { ...ask, regionId: region.id } satisfies Ask, timeoutMs);
  await learn({ attempt, region, address, cache });
  return { attempt, address };
}

interface Lesson {
  readonly attempt: Attempt;
  readonly region: CachedRegion;
  readonly address: string;
  readonly cache: RegionCache;
}

async function learn({ attempt, region, address, cache }: Lesson): Promise<void> {
  switch (attempt.kind) {
    case 'ok':
      return cache.setLeader(region.id, address);
    case 'ServerIsBusy':
      return;
    case 'NotLeader':
      return cache.setLeader(region.id, attempt.hint?.address ?? null);
    default:
      cache.setLeader(region.id, null);
      await cache.refresh();
  }
}

/** Nobody knows the leader: ask anyone who holds a peer. */
function anyOf({ addresses }: CachedRegion): string | undefined {
  return addresses[Math.floor(Math.random() * addresses.length)];
}
