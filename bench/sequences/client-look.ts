import type { FailureKind } from '../../subjects/tikv/lab/store/client.js';
import type { Load, LoadCounters } from '../../subjects/tikv/lab/store/load.js';
import type { Row } from './rows.js';

/** The kinds of the lab's client in the words of a client of the real cluster. */
const WORDS: Readonly<Record<FailureKind, string>> = {
  refused: 'rpc Unavailable: connection refused',
  closed: 'rpc Unavailable: other',
  timeout: 'rpc DeadlineExceeded',
  NotLeader: 'NotLeader',
  StaleCommand: 'StaleCommand',
  RegionNotFound: 'RegionNotFound',
  KeyNotInRegion: 'KeyNotInRegion',
  ServerIsBusy: 'ServerIsBusy',
  'no-region': 'no region',
};

/** What the load client met since it was asked last, as the parts of a row. */
export function clientWatch(load: Load): () => Pick<Row, 'c' | 'err'> {
  let last = load.counters();
  return () => {
    const now = load.counters();
    const c = [now.ok - last.ok, rounded(now.p50Ms), rounded(now.p99Ms), now.inFlight];
    const err = { ...newFailures(last, now), ...newlyGivenUp(last, now) };
    last = now;
    return { c, err };
  };
}

function newFailures({ failedAttempts: before }: LoadCounters, { failedAttempts: now }: LoadCounters) {
  return Object.fromEntries(
    (Object.entries(now) as [FailureKind, number][])
      .map(([kind, count]): [string, number] => [WORDS[kind], count - (before[kind] ?? 0)])
      .filter(([, count]) => count > 0),
  );
}

function newlyGivenUp(before: LoadCounters, now: LoadCounters): Record<string, number> {
  const sum = ({ failed }: LoadCounters) => Object.values(failed).reduce((total, count) => total + count, 0);
  const count = sum(now) - sum(before);
  return count > 0 ? { 'GAVE UP': count } : {};
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 10) / 10);
