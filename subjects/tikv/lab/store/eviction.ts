import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.js';

export interface EvictionOptions {
  /** Regions led from here now. */
  readonly leaders: () => number;
  /** Tells PD that this store is about to stop; false when PD did not take it. */
  readonly tellPd: () => Promise<boolean>;
  /** Longest wait (TiKV: `graceful-shutdown-timeout`). */
  readonly timeoutMs: number;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

const LOOK_MS = 200;
/** Without a PD nobody takes the leaders, and waiting helps nobody; but PD may be electing just now. */
const PD_SILENT_MS = 600;

/** Waits until PD has moved all leaders away, for as long as that may take and PD listens. */
export async function waitForEviction({
  leaders,
  tellPd,
  timeoutMs,
  monotonicMs,
  log,
}: EvictionOptions): Promise<void> {
  const startedAt = monotonicMs();
  const elapsedMs = () => monotonicMs() - startedAt;
  for (let silentMs = 0; leaders() > 0; await sleep(LOOK_MS)) {
    if (elapsedMs() >= timeoutMs || silentMs >= PD_SILENT_MS) {
      log.warn('server.rs', 'Graceful shutdown ends with leaders', { leaders_count: leaders() });
      return;
    }
    log.info('server.rs', 'Waiting for leader eviction', { elapsed: `${elapsedMs()}ms`, leaders_count: leaders() });
    silentMs = (await tellPd()) ? 0 : silentMs + LOOK_MS;
  }
  log.info('server.rs', 'All leaders evicted, completing graceful shutdown');
}
