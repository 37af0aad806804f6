import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Operation } from '../../../bench/linearizability/operation.js';
import { checkRegister, HistoryTooHard } from '../../../bench/linearizability/register.js';
import { atomicHistory, isLinearizableByTrying, smallHistory } from './histories.js';

const write = (value: string, calledAt: number, returnedAt: number | null): Operation => ({
  ...{ kind: 'write', key: 'k', value, calledAt, returnedAt },
});
const read = (value: string | null, calledAt: number, returnedAt: number): Operation => ({
  ...{ kind: 'read', key: 'k', value, calledAt, returnedAt },
});

describe('a history that a register could show', () => {
  it.each<[string, Operation[]]>([
    ['nothing at all', []],
    ['a read before any write', [read(null, 0, 1), write('a', 2, 3)]],
    ['a read that overlaps a write and sees it', [write('a', 0, 10), read('a', 1, 2)]],
    ['a read that overlaps a write and does not see it', [write('a', 0, 10), read(null, 1, 2)]],
    ['two overlapping writes, seen in either order', [write('a', 0, 9), write('b', 1, 8), read('a', 10, 11)]],
    ['a read that touches the write of which it sees nothing', [write('a', 0, 5), read(null, 5, 6)]],
    ['a write without an answer that happened late', [write('a', 0, null), read(null, 5, 6), read('a', 7, 8)]],
    ['a write without an answer that never happened', [write('a', 0, null), write('b', 1, 2), read('b', 3, 9)]],
    [
      'a value that was there before, from another write',
      [write('a', 0, 1), write('b', 2, 3), write('a', 4, 5), read('a', 6, 7)],
    ],
  ])('%s', (_, operations) => {
    expect(checkRegister(operations)).toMatchObject({ linearizable: true });
  });

  it('may begin with something in it', () => {
    expect(checkRegister([read('old', 0, 1)], { initial: 'old' })).toMatchObject({ linearizable: true });
  });
});

describe('a history that no register shows', () => {
  it.each<[string, Operation[]]>([
    ['a read of a value that was overwritten', [write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)]],
    ['a read that does not see a write that was over', [write('a', 0, 1), read(null, 2, 3)]],
    ['a read of what nobody wrote', [read('ghost', 0, 1)]],
    ['a read from the future', [read('a', 0, 1), write('a', 2, 3)]],
    [
      'two reads that see overlapping writes come and go',
      [write('a', 0, 1), write('b', 2, 20), read('b', 3, 4), read('a', 5, 6)],
    ],
    [
      'two readers that do not agree on the order',
      [write('a', 0, 20), write('b', 0, 20), read('a', 21, 22), read('b', 23, 24)],
    ],
    [
      'a write without an answer that happened twice',
      [write('a', 0, null), ...[read('a', 1, 2), write('b', 3, 4), read('b', 5, 6), read('a', 7, 8)]],
    ],
  ])('%s', (_, operations) => {
    expect(checkRegister(operations)).toMatchObject({ linearizable: false });
  });

  it('is told by the first answer that cannot be, with what the register may have held', () => {
    const stale = read('a', 4, 5);
    const verdict = checkRegister([write('a', 0, 1), write('b', 2, 3), stale, read('b', 6, 7)]);
    expect(verdict).toMatchObject({ linearizable: false, at: stale, held: ['b'] });
  });
});

describe('the search', () => {
  it('agrees with trying every order, whatever the history', () => {
    fc.assert(
      fc.property(smallHistory, (operations) => {
        expect(checkRegister(operations).linearizable).toBe(isLinearizableByTrying(operations));
      }),
      { numRuns: 3_000 },
    );
  });

  it('passes everything that an atomic register shows', () => {
    fc.assert(
      fc.property(atomicHistory, (operations) => {
        expect(checkRegister(operations)).toMatchObject({ linearizable: true });
      }),
      { numRuns: 500 },
    );
  });

  it('fails everything in which one read is older than a write that was over when it began', () => {
    fc.assert(
      fc.property(atomicHistory, fc.nat(), (operations, dice) => {
        const stale = staleReads(operations);
        fc.pre(stale.length > 0);
        const [honest, lie] = stale[dice % stale.length]!;
        const told = operations.map((operation) => (operation === honest ? lie : operation));
        expect(checkRegister(told)).toMatchObject({ linearizable: false });
      }),
      { numRuns: 500 },
    );
  });

  it('gives up with an error when it has gone through as many states as it may, and never passes', () => {
    const writes = Array.from({ length: 12 }, (_, index) => write(`v${index}`, index, 1_000 - index));
    const reads = writes.map(({ value }, index) => read(value, 2_000 + 10 * index, 2_005 + 10 * index));
    expect(() => checkRegister([...writes, ...reads], { maxStates: 1_000 })).toThrow(HistoryTooHard);
    expect(() => checkRegister([...writes, ...reads], { maxStates: 1_000 })).toThrow(
      'k: undecided after 1000 states: let fewer operations overlap on a key, or raise maxStates',
    );
  });

  it('takes a few states for each operation when many writes without an answer happen late, one after the other', () => {
    const late = Array.from({ length: 40 }, (_, index) => write(`late${index}`, 0, null));
    const operations = late.flatMap(({ value }, index): Operation[] => {
      const at = 10 + 10 * index;
      return [read(value, at, at + 1), write(`v${index}`, at + 2, at + 3), read(`v${index}`, at + 4, at + 5)];
    });
    const verdict = checkRegister([...late, ...operations]);
    expect(verdict).toMatchObject({ linearizable: true });
    expect(verdict.states / operations.length).toBeLessThan(50);
  });

  it('takes a few states for each operation when ten clients hammer one key and a tenth of the writes get no answer', () => {
    const operations = hammered({ clients: 10, operations: 5_000 });
    const verdict = checkRegister(operations);
    expect(verdict).toMatchObject({ linearizable: true });
    expect(verdict.states / operations.length).toBeLessThan(20);
  });
});

/** Each read that could be made to see a write which another write had replaced before it began, and how. */
function staleReads(operations: readonly Operation[]): [Operation, Operation][] {
  const writes = operations.filter(({ kind, returnedAt }) => kind === 'write' && returnedAt !== null);
  return operations.flatMap((reading): [Operation, Operation][] => {
    if (reading.kind !== 'read') return [];
    const newer = writes.filter(({ returnedAt }) => returnedAt! < reading.calledAt);
    const older = writes.filter(({ returnedAt }) => newer.some(({ calledAt }) => returnedAt! < calledAt));
    return older.map(({ value }) => [reading, { ...reading, value }]);
  });
}

/** Clients that wait for each answer before they go on, against an atomic register; times follow from a fixed rule. */
function hammered({ clients, operations }: { clients: number; operations: number }): Operation[] {
  let held: string | null = null;
  let seed = 1;
  const chance = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: operations }, (_, index): Operation => {
    const at = 10 * index;
    const times = { key: 'k', calledAt: at - chance(10 * clients), returnedAt: at + chance(10 * clients) };
    if (chance(2) === 0) return { kind: 'read', value: held, ...times };
    const outcome = chance(20);
    const value = `v${index}`;
    if (outcome !== 0) held = value;
    return { kind: 'write', value, ...times, returnedAt: outcome < 2 ? null : times.returnedAt };
  });
}
