import { checkHistory } from '../linearizability/history.js';
import { type Judge, Violation } from './checker.js';
import { DEEDS } from './deeds.js';
import type { Counts } from './member.js';
import type { Mutant } from './mutants.js';
import { Random } from './random.js';
import { CHAOS, type Event, type Schedule } from './schedule.js';
import { TICK } from './time.js';
import { World } from './world.js';

/** Time to elect, catch up and commit once all is well: some rounds of elections, far more than ever needed. */
const RECOVERY = 200 * TICK;

export interface SimulationOptions {
  schedule: Schedule;
  mutant?: Mutant;
  /** `everybody` by default. */
  judge?: Judge;
  /** Gets what happens, in words; `at` in ticks. */
  tell?: (at: number, what: string) => void;
}

export interface SimulationResult {
  seed: number;
  violation: Violation | null;
  /** Virtual time at the end or at the violation. */
  endedAt: number;
  counts: Counts & { elections: number; changes: number };
  /** Virtual ticks from the end of the chaos until every member had applied a new write. */
  recoveryTicks: number;
}

/** Runs one cluster through chaos and back to health. The same schedule gives the same run, to the last message. */
export function simulate({ schedule, mutant, judge, tell }: SimulationOptions): SimulationResult {
  const { seed, settings, events } = schedule;
  const world = new World({ seed, settings, mutant, judge, tell });
  world.begin();
  for (const event of events) world.agenda.later(event.at, () => happen(world, event));
  world.run({ until: CHAOS, goOn: () => true });
  const calmAt = world.agenda.now;
  const acknowledgedBefore = world.counts.acknowledged;
  if (!world.violation) world.calm();
  const isDone = () => world.counts.acknowledged > acknowledgedBefore && isLevel(world);
  world.run({ until: CHAOS + RECOVERY, goOn: () => !isDone() });
  if (!world.violation) world.observe(() => conclude(world, isDone()));
  const { agenda, checker, counts, violation } = world;
  return {
    seed,
    violation,
    endedAt: agenda.now,
    counts: { ...counts, elections: checker.elections, changes: checker.changes },
    recoveryTicks: (agenda.now - calmAt) / TICK,
  };
}

function happen(world: World, { deed, dice }: Event): void {
  world.observe(() => {
    const said = DEEDS[deed](world, new Random(dice));
    if (said !== null) world.tell(`${deed}: ${said}`);
  });
}

/** Has every member of the group applied what any client knows of? */
function isLevel(world: World): boolean {
  return world.group().every(({ machine }) => machine.state.index >= world.checker.floor);
}

function conclude(world: World, isDone: boolean): void {
  const [broken] = checkHistory(world.recorder.operations).broken;
  if (broken) throw new Violation('not-linearizable', broken.message);
  const roles = world.members.map(
    ({ id, node }) => `${id} ${node?.role} term ${node?.term} applied ${node?.appliedIndex}`,
  );
  if (!isDone) throw new Violation('stuck', `no write by all after the chaos: ${roles.join(', ')}`);
  world.checker.converged(new Map(world.group().map(({ id, machine }) => [id, machine.state])));
}
