import { instant } from '../../../src/domain/ids.js';
import { gap, known, type Reading } from '../../../src/domain/reading.js';
import type { Probe } from '../picture.js';

/** What the probe needs of a store client. */
export interface ProbeClient {
  get(key: string): Promise<ProbeResult<string | null>>;
  put(key: string, value: string): Promise<ProbeResult<unknown>>;
}

/** A request that was given up carries the attempts that failed; the last one names the trouble. */
export type ProbeResult<T> =
  /** `address`: of the store that served it. */
  | { readonly ok: true; readonly value: T; readonly address: string | null }
  | { readonly ok: false; readonly reason: string; readonly failures: readonly { readonly kind: string }[] };

export interface ServiceProbeOptions {
  readonly client: ProbeClient;
  /** One key per region, the probe's own. */
  readonly keys: readonly string[];
  /** All keys are tried once in this time, evenly spread. */
  readonly roundMs: number;
  /**
   * At most this many keys at once; a key whose turn finds them taken is left out of the round. One per key is natural:
   * regions that hang would otherwise keep the others from being tried.
   */
  readonly inFlight: number;
  readonly clock: () => number;
  /** The name of the store with this client address; `null` for a stranger. */
  readonly storeAt: (address: string) => string | null;
}

/** Writes and reads in the background of the samples. */
export interface ServiceProbe {
  /** What the last try of each key said. A failure counts at once; "all served" needs a fresh try of every key. */
  reading(): Reading<Probe>;
  /** No more tries; those under way end with their client. */
  close(): void;
}

interface Tried {
  readonly at: number;
  readonly ms: number;
  /** `null`: written and read back. */
  readonly failure: string | null;
  /** The store that served the read; `null` when none did. */
  readonly store: string | null;
}

type Outcome = Pick<Tried, 'failure' | 'store'>;

/** Rounds after which the last try of a key says nothing about now. */
const STALE_ROUNDS = 5;

/** Starts probing at once. */
export function startServiceProbe(options: ServiceProbeOptions): ServiceProbe {
  const { keys, roundMs, inFlight, clock } = options;
  const tried = new Map<string, Tried>();
  const underWay = new Set<string>();
  const startedAt = clock();
  let turn = 0;

  const timer = setInterval(() => {
    const key = keys[turn % keys.length];
    turn += 1;
    if (key === undefined || underWay.has(key) || underWay.size >= inFlight) return;
    underWay.add(key);
    void tryKey(options, key)
      .then((result) => tried.set(key, result))
      .finally(() => underWay.delete(key));
  }, roundMs / keys.length);

  return {
    reading() {
      const now = clock();
      const seen = { at: instant(now), source: 'probe' };
      const fresh = [...tried.values()].filter(({ at }) => now - at <= STALE_ROUNDS * roundMs);
      if (fresh.length === keys.length || fresh.some(({ failure }) => failure !== null))
        return known(summaryOf(fresh), seen);
      const age = `${Math.round((now - startedAt) / 1_000)} s after its start`;
      return gap(`${fresh.length} of ${keys.length} regions tried lately, ${age}`, seen);
    },
    close: () => clearInterval(timer),
  };
}

/** A write that is acknowledged must be there for the read. */
async function tryKey({ client, clock, storeAt }: ServiceProbeOptions, key: string): Promise<Tried> {
  const startedAt = clock();
  // A client that throws is broken, which is no reason to end the process that watches.
  const { failure, store } = await writeAndRead(client, key, String(startedAt)).catch((error: Error) =>
    failed(error.name),
  );
  const at = clock();
  return { at, ms: at - startedAt, failure, store: store === null ? null : storeAt(store) };
}

/** Its store is an address here. */
async function writeAndRead(client: ProbeClient, key: string, value: string): Promise<Outcome> {
  const put = await client.put(key, value);
  if (!put.ok) return failed(kindOf(put));
  const got = await client.get(key);
  if (!got.ok) return failed(kindOf(got));
  return got.value === null ? failed('write-lost') : { failure: null, store: got.address };
}

const failed = (kind: string): Outcome => ({ failure: kind, store: null });

function kindOf({ reason, failures }: Extract<ProbeResult<unknown>, { ok: false }>): string {
  return failures.at(-1)?.kind ?? reason;
}

function summaryOf(tries: readonly Tried[]): Probe {
  const kinds = tries.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const served = tries.filter(({ failure }) => failure === null);
  const times = served.map(({ ms }) => ms);
  return {
    regionsOk: times.length,
    regionsFailed: kinds.length,
    errors: Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((k) => k === kind).length])),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    byStore: mediansByStore(served),
  };
}

function mediansByStore(served: readonly Tried[]): Probe['byStore'] {
  const names = new Set(served.flatMap(({ store }) => store ?? []));
  const timesOf = (name: string) => served.filter(({ store }) => store === name).map(({ ms }) => ms);
  return Object.fromEntries([...names].map((name) => [name, quantile(timesOf(name), 0.5) ?? 0]));
}

function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}
