import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ViolationKind } from '../../../../../bench/raft/checker.js';
import { MUTANTS, type Mutant } from '../../../../../bench/raft/mutants.js';
import { plan } from '../../../../../bench/raft/schedule.js';
import { type SimulationResult, simulate } from '../../../../../bench/raft/simulation.js';

/** More seeds, or one again step by step: `npm run raft`, see docs/lab-raft.md. */
const SEEDS = 2000;
const MUTANT_SEEDS = 1000;

describe('a Raft group in a simulation of loss, delay, partitions, pauses and power cuts', () => {
  const results: SimulationResult[] = [];

  beforeAll(() => {
    for (let at = 0; at < SEEDS; at += 1) results.push(simulate({ schedule: plan(at + 1) }));
  }, 300_000);

  it('keeps every safety property and recovers, for every seed', () => {
    const failed = results.filter(({ violation }) => violation);
    const lines = failed.map(({ seed, violation }) => `npm run raft -- --seed ${seed}: ${violation?.message}`);
    expect(lines).toEqual([]);
  });

  it('goes through enough elections, crashes, snapshots, writes and reads for that to mean something', () => {
    const total = (count: keyof SimulationResult['counts']) =>
      results.reduce((sum, { counts }) => sum + counts[count], 0);
    const perSeed = { elections: 3, crashes: 2, installs: 1, acknowledged: 20, reads: 20, changes: 1 } as const;
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
    expect(simulate({ schedule: plan(7) })).toEqual(simulate({ schedule: plan(7) }));
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
    const { violation } = simulate({ schedule: plan(seed), mutant });
    if (violation) return violation;
  }
  throw new Error(`${MUTANT_SEEDS} seeds show nothing wrong`);
}
