import type { Operation, ReadOperation, WriteOperation } from './operation.js';

/**
 * What happens to a register, in order of time. `forget`: nobody can read any more what an operation of unknown outcome
 * wrote, so from here on it makes no difference whether it ever happens.
 */
export type Moment =
  | { readonly what: 'call' | 'return'; readonly operation: Operation }
  | { readonly what: 'forget'; readonly operation: WriteOperation };

/** At equal times calls come first, so that operations which only touch count as overlapping. */
const RANK = { call: 0, return: 1, forget: 2 } as const;

/** The moments of a history of one key. A write of unknown outcome that nobody read later is left out. */
export function momentsOf(operations: readonly Operation[]): Moment[] {
  const lastReads = lastReturns(operations.filter((operation) => operation.kind === 'read'));
  const timed = operations.flatMap((operation): Timed[] => {
    const call: Timed = { at: operation.calledAt, moment: { what: 'call', operation } };
    if (operation.kind === 'read') return [call, returnOf(operation, operation.returnedAt)];
    if (operation.returnedAt !== null) return [call, returnOf(operation, operation.returnedAt)];
    const lastRead = lastReads.get(operation.value) ?? Number.NEGATIVE_INFINITY;
    return lastRead < operation.calledAt ? [] : [call, { at: lastRead, moment: { what: 'forget', operation } }];
  });
  timed.sort((a, b) => a.at - b.at || RANK[a.moment.what] - RANK[b.moment.what]);
  return timed.map(({ moment }) => moment);
}

interface Timed {
  readonly at: number;
  readonly moment: Moment;
}

const returnOf = (operation: Operation, at: number): Timed => ({ at, moment: { what: 'return', operation } });

/** When the last read of each value returned. */
function lastReturns(reads: readonly ReadOperation[]): Map<string | null, number> {
  const last = new Map<string | null, number>();
  for (const { value, returnedAt } of reads) last.set(value, Math.max(returnedAt, last.get(value) ?? returnedAt));
  return last;
}
