import type { Judge, ViolationKind } from './checker.js';
import type { Mutant } from './mutants.js';
import type { Event, Schedule } from './schedule.js';
import type { Settings } from './settings.js';
import { minimise } from './shrink.js';
import { simulate } from './simulation.js';

/** What is simulated, apart from the schedule; the true implementation, judged by everybody, if nothing else is said. */
export interface Trial {
  mutant?: Mutant;
  judge?: Judge;
}

export interface Reproduction {
  schedule: Schedule;
  kind: ViolationKind;
  /** Simulations it took. */
  runs: number;
}

/** Runs of one simulation take some 10 ms, so this is about half a minute. */
const MAX_RUNS = 3000;

/** The fewest events, and the fairest weather, that still end in the same kind of violation; `null` if there is none. */
export function reproduce(schedule: Schedule, trial: Trial = {}): Reproduction | null {
  const { violation, endedAt } = simulate({ schedule, ...trial });
  if (!violation) return null;
  const { kind } = violation;
  const fails = (candidate: Schedule) => simulate({ schedule: candidate, ...trial }).violation?.kind === kind;
  const events = schedule.events.filter(({ at }) => at <= endedAt);
  let best = { ...schedule, events };
  if (!fails(best)) best = schedule;
  best = { ...best, settings: calmest(best, fails) };
  const minimal = minimise<Event>({
    items: best.events,
    fails: (items) => fails({ ...best, events: items }),
    maxRuns: MAX_RUNS,
  });
  best = { ...best, events: minimal.items };
  return { schedule: { ...best, settings: calmest(best, fails) }, kind, runs: minimal.runs };
}

/** Takes one trouble of the weather after the other away, if it fails without. */
function calmest(schedule: Schedule, fails: (candidate: Schedule) => boolean): Settings {
  let { settings } = schedule;
  for (const calm of [{ straggle: 0 }, { repeat: 0 }, { loss: 0 }, { maxDelay: 10 }]) {
    const calmer = { ...settings, weather: { ...settings.weather, ...calm } };
    if (fails({ ...schedule, settings: calmer })) settings = calmer;
  }
  return settings;
}
