import type { FailureCounts, FailureKind, RequestResult, StoreClient } from './client.js';
import { regionKey } from './layout.js';

export interface LoadOptions {
  readonly client: StoreClient;
  /** Requests started per second whatever becomes of the earlier ones (open loop); half of them write. */
  readonly opsPerSecond: number;
  /** Number of regions of the seed layout; requests go round them. */
  readonly regions: number;
}

/** What became of the requests since the start. */
export interface LoadCounters {
  readonly started: number;
  readonly ok: number;
  /** Requests given up, by the kind of their last failed attempt. */
  readonly failed: FailureCounts;
  /** Attempts that failed, also of requests that succeeded later or are still under way: the client's own count. */
  readonly failedAttempts: FailureCounts;
  readonly inFlight: number;
  /** Over the successful requests of the last {@link LATENCIES}; null before the first. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export interface Load {
  counters(): LoadCounters;
  /** Starts nothing more and waits for what is under way. */
  stop(): Promise<LoadCounters>;
}

/** Latencies kept for the percentiles. */
export const LATENCIES = 10_000;
/** Different keys in a region, so that a long load does not grow the data. */
const KEYS_PER_REGION = 16;
/** Requests under way at most: beyond that the load itself would be the fault. */
const MAX_IN_FLIGHT = 2_000;
const VALUE = 'x'.repeat(128);

/** Starts at once. */
export function startLoad({ client, opsPerSecond, regions }: LoadOptions): Load {
  const failed: Partial<Record<FailureKind, number>> = {};
  const latencies: number[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let started = 0;
  let ok = 0;

  function startDue(): void {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * opsPerSecond);
    for (; started < due; started += 1) {
      if (underWay.size < MAX_IN_FLIGHT) startOne(started);
      else count(failed, 'ServerIsBusy');
    }
  }

  function startOne(number: number): void {
    const at = performance.now();
    const done = ask(client, number, regions).then((result) => record(result, performance.now() - at));
    underWay.add(done);
    void done.finally(() => underWay.delete(done));
  }

  function record({ ok: served, failures }: RequestResult<unknown>, tookMs: number): void {
    if (served) {
      latencies[ok % LATENCIES] = tookMs;
      ok += 1;
    } else {
      count(failed, failures.at(-1)?.kind ?? 'timeout');
    }
  }

  function counters(): LoadCounters {
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
    const failures = { failed: { ...failed }, failedAttempts: client.failedAttempts() };
    return { started, ok, ...failures, inFlight: underWay.size, p50Ms: at(0.5), p99Ms: at(0.99) };
  }

  const timer = setInterval(startDue, Math.max(5, 1000 / opsPerSecond / 2));
  return {
    counters,
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      return counters();
    },
  };
}

/** A round of writes over all regions, then a round that reads the same keys. */
function ask(client: StoreClient, number: number, regions: number): Promise<RequestResult<unknown>> {
  const round = Math.floor(number / regions);
  const key = regionKey(number % regions, `-load-${Math.floor(round / 2) % KEYS_PER_REGION}`);
  return round % 2 === 0 ? client.put(key, `${number}-${VALUE}`) : client.get(key);
}

function count(counts: Partial<Record<FailureKind, number>>, kind: FailureKind): void {
  counts[kind] = (counts[kind] ?? 0) + 1;
}
