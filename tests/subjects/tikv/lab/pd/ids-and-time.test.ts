import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Ids } from '../../../../../subjects/tikv/lab/pd/ids.js';
import { apply, type Command, EMPTY_STATE } from '../../../../../subjects/tikv/lab/pd/state.js';
import { Timestamps } from '../../../../../subjects/tikv/lab/pd/tso.js';

/** A group that commits at once. */
function group() {
  let state = EMPTY_STATE;
  const proposals: Command[] = [];
  return {
    proposals,
    end: () => state.idEnd,
    endMs: () => state.tsoEndMs,
    propose: async (command: Command) => {
      proposals.push(command);
      const outcome = apply(state, command);
      state = outcome.state;
      return outcome.applied;
    },
  };
}

describe('ids', () => {
  it('rise by one, and jump to the next block with a new leader', async () => {
    const shared = group();
    const first = new Ids(shared);
    expect([await first.allocate(), await first.allocate()]).toEqual([1, 2]);
    const second = new Ids(shared);
    expect([await second.allocate(), await second.allocate()]).toEqual([1001, 1002]);
  });

  it('are given out once each, also to many who ask at the same time, with one reservation per block', async () => {
    const shared = group();
    const ids = new Ids(shared);
    const got = await Promise.all(Array.from({ length: 2_500 }, () => ids.allocate()));
    expect(new Set(got).size).toBe(2_500);
    expect(shared.proposals).toHaveLength(3);
  });
});

describe('timestamps', () => {
  it('rise strictly, across leaders and across a clock that goes back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            clock: fc.integer({ min: 1, max: 30_000 }),
            count: fc.integer({ min: 1, max: 200_000 }),
            fresh: fc.boolean(),
          }),
          {
            minLength: 1,
            maxLength: 25,
          },
        ),
        async (steps) => {
          const shared = group();
          let clock = 0;
          const leader = () => new Timestamps({ ...shared, nowMs: () => clock });
          let current = leader();
          let last = { physical: 0, logical: 0 };
          for (const step of steps) {
            clock = step.clock;
            if (step.fresh) current = leader();
            const next = await current.next(step.count);
            const first = next.logical - step.count + 1;
            expect(next.physical > last.physical || (next.physical === last.physical && first > last.logical)).toBe(
              true,
            );
            last = next;
          }
        },
      ),
    );
  });
});
