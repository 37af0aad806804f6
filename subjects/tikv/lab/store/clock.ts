/** Time as a store needs it. */
export interface Clock {
  /** Never goes back; for intervals and leases, in ms. */
  monotonicMs(): number;
  /** Wall clock, for what PD and logs show. */
  now(): Date;
}

/** The clocks of the machine. */
export const systemClock: Clock = { monotonicMs: () => performance.now(), now: () => new Date() };
