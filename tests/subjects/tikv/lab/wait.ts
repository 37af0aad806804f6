import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions<Seen> {
  readonly withinMs: number;
  /** Distance of two looks; default 20 ms. */
  readonly everyMs?: number;
  /** What is waited for, for the message. */
  readonly what: string;
  readonly look: () => Seen | Promise<Seen>;
  readonly until: (seen: Seen) => boolean;
}

/** Looks until the condition holds and returns what was seen; fails with the last look when the time is over. */
export async function waitFor<Seen>({ withinMs, everyMs = 20, what, look, until }: WaitOptions<Seen>): Promise<Seen> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (until(seen)) return seen;
    if (performance.now() > deadline)
      throw new Error(`no ${what} within ${withinMs} ms; last seen: ${JSON.stringify(seen)}`);
    await sleep(everyMs);
  }
}
