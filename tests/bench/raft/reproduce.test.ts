import { describe, expect, it } from '@jest/globals';
import { MUTANTS } from '../../../bench/raft/mutants.js';
import { reproduce } from '../../../bench/raft/reproduce.js';
import { plan, type Schedule } from '../../../bench/raft/schedule.js';
import { simulate } from '../../../bench/raft/simulation.js';

describe('reproduce', () => {
  it('finds nothing where nothing fails', () => {
    expect(reproduce(plan(1))).toBeNull();
  });

  it('brings a failing schedule down to a few events that fail in the same way, every time', () => {
    const mutant = MUTANTS['goes on leading after its removal'];
    const schedule = firstFailing((candidate) => simulate({ schedule: candidate, mutant }).violation !== null);
    const found = reproduce(schedule, { mutant });
    expect(found).toMatchObject({ kind: 'outsider-stands' });
    expect(found!.schedule.events.length).toBeLessThanOrEqual(4);
    for (let times = 0; times < 2; times += 1) {
      expect(simulate({ schedule: found!.schedule, mutant }).violation?.kind).toBe('outsider-stands');
    }
    expect(simulate({ schedule: found!.schedule }).violation).toBeNull();
  });

  it('tells what happens in the order in which it does', () => {
    const told: [number, string][] = [];
    simulate({ schedule: plan(3), tell: (at, what) => told.push([at, what]) });
    expect(told.map(([at]) => at)).toEqual(told.map(([at]) => at).sort((a, b) => a - b));
    expect(told.map(([, what]) => what).join('\n')).toMatch(/n\d leads term \d+; since entry 5 the group is n1/);
  });
});

function firstFailing(fails: (schedule: Schedule) => boolean): Schedule {
  for (let seed = 1; seed <= 100; seed += 1) if (fails(plan(seed))) return plan(seed);
  throw new Error('100 seeds show nothing wrong');
}
