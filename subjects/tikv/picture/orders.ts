import type { Scheduling } from '../picture.js';

/** Schedulers that a person adds for a purpose and takes away again; PD has none of them by itself. */
const ADDED_BY_HAND = /^(evict-leader|grant-leader|grant-hot-region|shuffle-|scatter-range|random-merge)/;

/** Schedulers that move leaders or replicas because somebody added them. `null`: PD did not tell. */
export const foreignSchedulers = ({ schedulers }: Scheduling): readonly string[] | null =>
  schedulers.known ? schedulers.value.filter((name) => ADDED_BY_HAND.test(name)) : null;

/** What keeps PD from moving anything, in words. `null`: not all of it could be read, and what could is in order. */
export function brakesOn({ paused, limits }: Scheduling): readonly string[] | null {
  const words = [
    ...(paused.known ? paused.value.map((name) => `${name} is paused`) : []),
    ...(limits.known && limits.value.leaders === 0 ? ['leader-schedule-limit is 0'] : []),
    ...(limits.known && limits.value.halted ? ['halt-scheduling is on'] : []),
  ];
  return words.length === 0 && !(paused.known && limits.known) ? null : words;
}
