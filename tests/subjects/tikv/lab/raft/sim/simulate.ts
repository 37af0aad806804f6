import { Violation } from './checker.js';
import type { Counts } from './member.js';
import { unleash } from './nemesis.js';
import { Random } from './random.js';
import { TICK } from './time.js';
import { World, type WorldOptions } from './world.js';

const CHAOS = 500 * TICK;
/** Time to elect, catch up and commit once all is well: some rounds of elections, far more than ever needed. */
const RECOVERY = 200 * TICK;
const LOOK_EVERY = 10 * TICK;

export interface SimulationResult {
  seed: number;
  violation: Violation | null;
  counts: Counts & { elections: number };
  /** Virtual ticks from the end of the chaos until every member had applied a new write. */
  recoveryTicks: number;
}

/** Runs one cluster through chaos and back to health. The same seed gives the same run, to the last message. */
export function simulate(options: WorldOptions): SimulationResult {
  const world = new World(options);
  world.begin();
  unleash(world, new Random(options.seed ^ 0x5eed));
  watchLogs(world);
  world.run({ until: CHAOS, goOn: () => true });
  world.calm();
  const calmAt = world.agenda.now;
  const acknowledgedBefore = world.counts.acknowledged;
  const isDone = () => world.counts.acknowledged > acknowledgedBefore && isLevel(world);
  world.run({ until: CHAOS + RECOVERY, goOn: () => !isDone() });
  world.observe(() => conclude(world, isDone()));
  return {
    seed: options.seed,
    violation: world.violation,
    counts: { ...world.counts, elections: world.checker.elections },
    recoveryTicks: (world.agenda.now - calmAt) / TICK,
  };
}

function watchLogs(world: World): void {
  world.compareLogs();
  world.agenda.later(LOOK_EVERY, () => watchLogs(world));
}

/** Has everybody applied what any client knows of? */
function isLevel({ members, checker }: World): boolean {
  return members.every(({ machine }) => machine.state.index >= checker.floor);
}

function conclude(world: World, isDone: boolean): void {
  if (world.violation) return;
  const roles = world.members.map(
    ({ id, node }) => `${id} ${node?.role} term ${node?.term} applied ${node?.appliedIndex}`,
  );
  if (!isDone) throw new Violation('stuck', `no write by all after the chaos: ${roles.join(', ')}`);
  world.checker.converged(new Map(world.members.map(({ id, machine }) => [id, machine.state])));
}
