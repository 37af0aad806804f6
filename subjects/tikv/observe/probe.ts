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
  | { readonly ok: true; readonly value: T }
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
}

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
async function tryKey({ client, clock }: ServiceProbeOptions, key: string): Promise<Tried> {
  const startedAt = clock();
  // A client that throws is broken, which is no reason to end the process that watches.
  const failure = await writeAndRead(client, key, String(startedAt)).catch((error: Error) => error.name);
  const at = clock();
  return { at, ms: at - startedAt, failure };
}

async function writeAndRead(client: ProbeClient, key: string, value: string): Promise<string | null> {
  const put = await client.put(key, value);
  if (!put.ok) return kindOf(put);
  const got = await client.get(key);
  if (!got.ok) return kindOf(got);
  return got.value === null ? 'write-lost' : null;
}

function kindOf({ reason, failures }: Extract<ProbeResult<unknown>, { ok: false }>): string {
  return failures.at(-1)?.kind ?? reason;
}

function summaryOf(tries: readonly Tried[]): Probe {
  const failed = tries.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const times = tries.filter(({ failure }) => failure === null).map(({ ms }) => ms);
  return {
    regionsOk: times.length,
    regionsFailed: failed.length,
    errors: Object.fromEntries([...new Set(failed)].map((kind) => [kind, failed.filter((k) => k === kind).length])),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}
