/** One tick of the fastest clock, in units of virtual time. */
export const TICK = 100;

/** The slowest clock takes this many units for a tick, as the default `maxClockDrift` of the core allows. */
export const SLOW_TICK = 110;

export const ELECTION_TICKS = 10;
