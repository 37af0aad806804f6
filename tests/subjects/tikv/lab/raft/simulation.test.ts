import { describe, expect, it } from '@jest/globals';
import { MUTANTS } from './sim/mutants.js';
import { type SimulationResult, simulate } from './sim/simulate.js';

const SEEDS = Number(process.env.RAFT_SEEDS ?? 300);
const FIRST_SEED = Number(process.env.RAFT_FIRST_SEED ?? 1);

describe('a Raft group in a simulation', () => {
  const results = new Map<number, SimulationResult>();

  it('keeps every safety property and recovers, for all seeds', () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const result = simulate({ seed });
      results.set(seed, result);
      if (result.violation) throw new Error(`simulate({ seed: ${seed} }) finds ${result.violation.message}`);
    }
  }, 120_000);

  it('has been through enough for that to mean something', () => {
    const sum = (of: (result: SimulationResult) => number) => [...results.values()].reduce((n, r) => n + of(r), 0);
    console.log({
      acknowledged: sum((r) => r.counts.acknowledged),
      reads: sum((r) => r.counts.reads),
      elections: sum((r) => r.counts.elections),
      installs: sum((r) => r.counts.installs),
      crashes: sum((r) => r.counts.crashes),
      slowest: Math.max(...[...results.values()].map((r) => r.recoveryTicks)),
    });
    expect(sum((r) => r.counts.acknowledged)).toBeGreaterThan(50 * SEEDS);
  });

  it('gives the same run for the same seed', () => {
    expect(simulate({ seed: 7 })).toEqual(simulate({ seed: 7 }));
  });

  it.each(Object.entries(MUTANTS))(
    'finds out a member that %s',
    (name, mutant) => {
      for (let seed = 1; seed <= 300; seed += 1) {
        const { violation } = simulate({ seed, mutant });
        if (violation) {
          console.log(name, seed, violation.message);
          return;
        }
      }
      throw new Error('not found');
    },
    60_000,
  );
});
