import type { ScheduleTimes } from './times.js';

/** How much longer each rest is than the one before (PD: `scheduleIntervalFactor`). */
const GROWTH = 1.3;

interface Rest {
  readonly ms: number;
  readonly untilMs: number;
}

/** Schedulers that found nothing look less and less often, up to a bound; the first find ends that. */
export class Rests {
  readonly #times: Pick<ScheduleTimes, 'roundMs' | 'longestRestMs'>;
  readonly #rests = new Map<string, Rest>();

  constructor(times: Pick<ScheduleTimes, 'roundMs' | 'longestRestMs'>) {
    this.#times = times;
  }

  isResting(name: string, nowMs: number): boolean {
    return nowMs < (this.#rests.get(name)?.untilMs ?? 0);
  }

  note(name: string, { found, nowMs }: { readonly found: boolean; readonly nowMs: number }): void {
    const { roundMs, longestRestMs } = this.#times;
    const ms = found ? 0 : Math.min(longestRestMs, Math.max(roundMs, (this.#rests.get(name)?.ms ?? 0) * GROWTH));
    this.#rests.set(name, { ms, untilMs: nowMs + ms });
  }
}
