/** How much of its own time this process has lost lately. */
export interface StallWatch {
  /** Milliseconds since then (`performance.now()`) in which this process could not run although it wanted to. */
  lostSince(then: number): number;
  close(): void;
}

const TICK_MS = 20;
const KEPT_MS = 30_000;

/**
 * A watcher that is starved of processor time, or stands still in one long computation, takes its own delay for silence
 * of what it watches. It therefore counts how late its own timer comes.
 */
export function startStallWatch(): StallWatch {
  let last = performance.now();
  let late: { readonly at: number; readonly ms: number }[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    const ms = now - last - TICK_MS;
    last = now;
    if (ms > TICK_MS) late = [...late.filter(({ at }) => now - at < KEPT_MS), { at: now, ms }];
  }, TICK_MS);
  timer.unref();
  return {
    lostSince(then) {
      const known = late.filter(({ at }) => at > then).reduce((sum, { at, ms }) => sum + Math.min(ms, at - then), 0);
      return Math.round(known + Math.max(0, performance.now() - Math.max(last, then) - TICK_MS));
    },
    close: () => clearInterval(timer),
  };
}
