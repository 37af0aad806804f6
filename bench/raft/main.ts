import { parseArgs } from 'node:util';
import type { Judge } from './checker.js';
import { MUTANTS, type Mutant } from './mutants.js';
import { reproduce, type Trial } from './reproduce.js';
import { plan, type Schedule } from './schedule.js';
import { simulate } from './simulation.js';

/*
 * The Raft core in simulated trouble.
 *
 *     npm run raft -- --seed N [--mutant NAME]     one seed, told step by step; shrunk to its fewest events if it fails
 *     npm run raft -- [--from 1] [--seeds 2000]    many seeds, and how fast
 *     npm run raft -- --mutants [--seeds 2000]     after how many seeds each broken implementation is found out
 *
 * With --clients only the clients' history is judged (and whether the group serves at the end).
 *
 * Exit 1 when a seed fails, or when a mutant is not found out; 2 for a number that is none or a mutant that does not exist.
 */

const KNOWN: ReadonlyMap<string, Mutant> = new Map(Object.entries(MUTANTS));

function main(): number {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      from: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '2000' },
      mutant: { type: 'string' },
      mutants: { type: 'boolean', default: false },
      clients: { type: 'boolean', default: false },
    },
  });
  if (values.mutant !== undefined && !KNOWN.has(values.mutant)) {
    console.error(`There is no mutant \`${values.mutant}\`. There are:\n${[...KNOWN.keys()].join('\n')}`);
    return 2;
  }
  for (const option of ['seed', 'from', 'seeds'] as const) {
    if (/^\d+$/.test(values[option] ?? '0')) continue;
    console.error(`--${option} is \`${values[option]}\`, must be a whole number`);
    return 2;
  }
  const mutant = KNOWN.get(values.mutant ?? '');
  const judge: Judge = values.clients ? 'clients' : 'everybody';
  const range = { from: Number(values.from), seeds: Number(values.seeds), mutant, judge };
  if (values.mutants) return findMutants(range);
  return values.seed === undefined ? runMany(range) : replay(Number(values.seed), { mutant, judge });
}

interface Range extends Trial {
  from: number;
  seeds: number;
}

function replay(seed: number, trial: Trial): number {
  const schedule = plan(seed);
  const { violation, counts } = tellRun(schedule, trial);
  if (!violation) {
    console.log(`\nseed ${seed} keeps every property: ${JSON.stringify(counts)}`);
    return 0;
  }
  console.log(`\nseed ${seed} ends in ${violation.kind}; looking for the fewest events that do ...`);
  const found = reproduce(schedule, trial);
  if (!found)
    throw new Error(`seed ${seed} does not fail again: the simulation depends on something besides its schedule`);
  console.log(`${schedule.events.length} events came down to ${found.schedule.events.length} in ${found.runs} runs:\n`);
  tellRun(found.schedule, trial);
  return 1;
}

function tellRun(schedule: Schedule, trial: Trial) {
  console.log(`settings ${JSON.stringify(schedule.settings)}`);
  const tell = (at: number, what: string) => console.log(`${at.toFixed(2).padStart(8)}  ${what}`);
  return simulate({ schedule, ...trial, tell });
}

function runMany({ from, seeds, ...trial }: Range): number {
  const startedMs = performance.now();
  const failed: number[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { violation } = simulate({ schedule: plan(seed), ...trial });
    if (!violation) continue;
    failed.push(seed);
    console.log(`seed ${seed}: ${violation.message}`);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const rate = (seeds / seconds).toFixed(1);
  console.log(`${seeds} seeds in ${seconds.toFixed(1)} s, ${rate} per second; ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}

function findMutants({ from, seeds, judge }: Range): number {
  let missed = 0;
  for (const [name, mutant] of KNOWN) {
    const startedMs = performance.now();
    const found = firstFailure({ from, seeds, mutant, judge });
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(2);
    if (found === null) missed += 1;
    const words = found === null ? `not found out by ${seeds} seeds` : `${found.seeds} seeds, ${found.kind}`;
    console.log(`${name.padEnd(75)} ${words} (${seconds} s)`);
  }
  return missed === 0 ? 0 : 1;
}

function firstFailure({ from, seeds, ...trial }: Range) {
  for (let tried = 0; tried < seeds; tried += 1) {
    const { violation } = simulate({ schedule: plan(from + tried), ...trial });
    if (violation) return { seeds: tried + 1, kind: violation.kind };
  }
  return null;
}

process.exitCode = main();
