import type { Applied, Command } from './state.js';

/** Time is reserved ahead in steps of this length, so that a new leader starts behind it (PD: `tso-save-interval` 5 s). */
const WINDOW_MS = 5_000;
/** 18 bits of the timestamp count within a millisecond. */
const MAX_LOGICAL = 1 << 18;

export interface TimestampsOptions {
  /** Unix ms up to which time is reserved, as applied here. */
  readonly endMs: () => number;
  readonly propose: (command: Command) => Promise<Applied>;
  /** Wall clock, unix ms. */
  readonly nowMs: () => number;
}

/** Unix ms and the count within it; of several timestamps the last. */
export interface Timestamp {
  readonly physical: number;
  readonly logical: number;
}

/** One leader's timestamps: strictly rising, also across leaders and across a clock that goes back. */
export class Timestamps {
  readonly #options: TimestampsOptions;
  #physical: number;
  #logical = 0;
  #reservedMs = 0;

  constructor(options: TimestampsOptions) {
    this.#options = options;
    this.#physical = options.endMs();
  }

  get lastMs(): number {
    return this.#physical;
  }

  /** @throws ProposalLost if more time must be reserved and no majority takes it */
  async next(count: number): Promise<Timestamp> {
    this.#advance(count);
    while (this.#physical >= this.#reservedMs) {
      const endMs = this.#physical + WINDOW_MS;
      await this.#options.propose({ kind: 'reserve-time', endMs });
      this.#reservedMs = endMs;
      this.#advance(0);
    }
    this.#logical += count;
    return { physical: this.#physical, logical: this.#logical };
  }

  #advance(count: number): void {
    const now = Math.floor(this.#options.nowMs());
    const full = this.#logical + count >= MAX_LOGICAL;
    if (now <= this.#physical && !full) return;
    this.#physical = Math.max(now, this.#physical + 1);
    this.#logical = 0;
  }
}
