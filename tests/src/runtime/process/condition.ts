import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `look` gives something true, and fails with what was seen last. */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  { good = Boolean, withinMs = 10_000 }: { good?: (seen: T) => boolean; withinMs?: number } = {},
): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (good(seen)) return seen;
    if (performance.now() > deadlineMs)
      throw new Error(`${what}: not within ${withinMs} ms; last seen ${JSON.stringify(seen)}`);
    await pause(25);
  }
}
