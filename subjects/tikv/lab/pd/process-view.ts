import { performance } from 'node:perf_hooks';
import type { ProcessView } from './view.js';

/** Wall clock, unix ms. */
export const wallMs = (): number => Date.now();

/** Wall clock in ns, as exact as the platform gives it; PD's timestamps have nine decimals. */
export function wallNs(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
}

/** What this process costs and since when it runs. */
export function processView(dataDir: string): ProcessView {
  const { user, system } = process.cpuUsage();
  return {
    startedAt: performance.timeOrigin / 1000,
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    dataDir,
  };
}
