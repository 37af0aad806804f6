import { beforeAll, describe, expect, it } from '@jest/globals';
import { type KnownMutant, MUTANTS } from '../../../../../bench/raft/mutants.js';
import type { Trial } from '../../../../../bench/raft/reproduce.js';
import { plan } from '../../../../../bench/raft/schedule.js';
import { type SimulationResult, simulate } from '../../../../../bench/raft/simulation.js';

/** More seeds, or one again step by step: `npm run raft`, see docs/lab-raft.md. */
const SEEDS = 2000;
const MUTANT_SEEDS = 1000;
const MUTANTS_BY_NAME = Object.entries<KnownMutant>(MUTANTS);

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

describe('everybody who looks at the simulation', () => {
  it.each(MUTANTS_BY_NAME)(
    'finds out a member that %s',
    (_, mutant) => {
      const violation = firstViolation({ mutant });
      expect(mutant.shows).toContain(violation.kind);
    },
    120_000,
  );
});

describe('the clients of the simulation, who know nothing but their answers', () => {
  it.each(MUTANTS_BY_NAME.filter(([, { clientsSee }]) => clientsSee))(
    'find out a member that %s',
    (_, mutant) => {
      const { kind, message } = firstViolation({ mutant, judge: 'clients' });
      expect(kind).toBe('not-linearizable');
      expect(message).toMatch(/the register: no order explains read .*; it may have held /);
    },
    120_000,
  );
});

function firstViolation(trial: Trial) {
  for (let seed = 1; seed <= MUTANT_SEEDS; seed += 1) {
    const { violation } = simulate({ schedule: plan(seed), ...trial });
    if (violation) return violation;
  }
  throw new Error(`${MUTANT_SEEDS} seeds show nothing wrong`);
}
