import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RaftLog } from '../../../../../subjects/tikv/lab/raft/log.js';
import { blankRestored } from '../../../../../subjects/tikv/lab/raft/restored.js';
import type { Entry } from '../../../../../subjects/tikv/lab/raft/types.js';

/** Two logs that share a beginning and then go their own ways, as logs of two leaders do: no term is on both branches. */
const branches = fc
  .record({
    shared: fc.array(fc.nat(2), { maxLength: 12 }),
    own: fc.array(fc.nat(2), { maxLength: 12 }),
    leader: fc.array(fc.nat(2), { minLength: 1, maxLength: 12 }),
    from: fc.nat(24),
  })
  .map(({ shared, own, leader, from }) => {
    const terms = (steps: number[], start: number, parity: number) =>
      steps.map((_, at) => 2 * (start + steps.slice(0, at + 1).reduce((sum, step) => sum + step, 0)) + parity);
    const start = terms(shared, 1, 0);
    const fork = (start.at(-1) ?? 0) + 1;
    return {
      own: toEntries([...start, ...terms(own, fork, 0)]),
      leader: toEntries([...start, ...terms(leader, fork, 1)]),
      from: from % (shared.length + leader.length + 1),
    };
  });

function toEntries(terms: number[]): Entry[] {
  return terms.map((term, at) => ({ term, index: at + 1, data: `${term}` }));
}

function logOf(entries: Entry[]): RaftLog {
  return new RaftLog({ ...blankRestored(), entries });
}

function contentOf(log: RaftLog): Entry[] {
  return log.slice({ from: 1, to: log.lastIndex });
}

describe('a log', () => {
  it('equals that of the leader once back-off has found where they meet, in at most one round per term', () => {
    fc.assert(
      fc.property(branches, ({ own, leader, from }) => {
        const [follower, source] = [logOf(own), logOf(leader)];
        let prevIndex = from;
        let rounds = 0;
        for (;;) {
          const prevTerm = source.termAt(prevIndex) ?? 0;
          const merge = follower.merge({ prevIndex, prevTerm, entries: leader.slice(prevIndex) });
          if (merge.ok) break;
          rounds += 1;
          const index = Math.min(merge.hint.index, prevIndex - 1);
          prevIndex = source.agreement({ index, term: merge.hint.term }).index;
        }
        expect(contentOf(follower)).toEqual(leader);
        expect(rounds).toBeLessThanOrEqual(new Set([...own, ...leader].map(({ term }) => term)).size + 1);
      }),
    );
  });

  it('is changed only once by the same append, and not at all by an older, shorter one', () => {
    fc.assert(
      fc.property(branches, fc.nat(24), ({ leader }, cut) => {
        const log = logOf(leader);
        log.merge({ prevIndex: 0, prevTerm: 0, entries: leader.slice(0, cut) });
        expect(contentOf(log)).toEqual(leader);
      }),
    );
  });

  it('keeps its end and its later entries when it is compacted', () => {
    fc.assert(
      fc.property(branches, fc.nat(24), fc.nat(8), ({ own }, at, trailing) => {
        const log = logOf(own);
        const index = own.length === 0 ? 0 : at % (own.length + 1);
        const { end } = log;
        log.compact({ index, term: log.termAt(index) ?? 0, voters: [], data: '' }, trailing);
        expect(log.end).toEqual(end);
        expect(log.base.index).toBe(Math.max(0, index - trailing));
        expect(log.slice({ from: index + 1, to: log.lastIndex })).toEqual(own.slice(index));
      }),
    );
  });
});
