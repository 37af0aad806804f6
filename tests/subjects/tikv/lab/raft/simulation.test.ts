import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ViolationKind } from './sim/checker.js';
import { MUTANTS, type Mutant } from './sim/mutants.js';
import { type SimulationResult, simulate } from './sim/simulate.js';

/** More seeds, or one again: `RAFT_SEEDS=10000` or `RAFT_FIRST_SEED=4711 RAFT_SEEDS=1` in front of jest. */
const SEEDS = Number(process.env.RAFT_SEEDS ?? 300);
const FIRST_SEED = Number(process.env.RAFT_FIRST_SEED ?? 1);
const MUTANT_SEEDS = 1500;

describe('a Raft group in a simulation of loss, delay, partitions, pauses and power cuts', () => {
  const results: SimulationResult[] = [];

  beforeAll(() => {
    for (let at = 0; at < SEEDS; at += 1) results.push(simulate({ seed: FIRST_SEED + at }));
  }, 180_000);

  it('keeps every safety property and recovers, for every seed', () => {
    const failed = results.filter(({ violation }) => violation);
    const lines = failed.map(({ seed, violation }) => `simulate({ seed: ${seed} }): ${violation?.message}`);
    expect(lines).toEqual([]);
  });

  it('goes through enough elections, crashes, snapshots, writes and reads for that to mean something', () => {
    const total = (count: keyof SimulationResult['counts']) =>
      results.reduce((sum, { counts }) => sum + counts[count], 0);
    const perSeed = { elections: 4, crashes: 4, installs: 0.5, acknowledged: 30, reads: 30 } as const;
    for (const [count, least] of Object.entries(perSeed)) {
      const got = total(count as keyof typeof perSeed);
      if (got < least * SEEDS) throw new Error(`only ${got} ${count} in ${SEEDS} seeds, expected ${least} in each`);
    }
  });

  it('elects a leader and commits by all members soon after the chaos ends', () => {
    const slowest = Math.max(...results.map(({ recoveryTicks }) => recoveryTicks));
    expect(slowest).toBeLessThan(100);
  });

  it('gives the same run for the same seed', () => {
    expect(simulate({ seed: 7 })).toEqual(simulate({ seed: 7 }));
  });
});

describe('the checker of the simulation', () => {
  it.each(Object.entries<Mutant & { shows: ViolationKind[] }>(MUTANTS))(
    'finds out a member that %s',
    (_, mutant) => {
      const violation = firstViolation(mutant);
      expect(mutant.shows).toContain(violation.kind);
    },
    120_000,
  );
});

function firstViolation(mutant: Mutant) {
  for (let seed = 1; seed <= MUTANT_SEEDS; seed += 1) {
    const { violation } = simulate({ seed, mutant });
    if (violation) return violation;
  }
  throw new Error(`${MUTANT_SEEDS} seeds show nothing wrong`);
}
