import { type Moment, momentsOf } from './moments.js';
import type { Operation, WriteOperation } from './operation.js';

/** Outcome of {@link checkRegister}; `states` is how many the search went through. */
export type RegisterVerdict =
  | { readonly linearizable: true; readonly states: number }
  | {
      readonly linearizable: false;
      readonly states: number;
      /** The first operation that no order explains. */
      readonly at: Operation;
      /** What the register may have held when it returned. */
      readonly held: readonly (string | null)[];
    };

/** The history is too hard for the bound; nothing is known about it. */
export class HistoryTooHard extends Error {
  constructor({ key, states }: { key: string; states: number }) {
    super(`${key}: undecided after ${states} states: let fewer operations overlap on a key, or raise maxStates`);
  }
}

export interface RegisterOptions {
  /** What the register holds before the first operation. */
  readonly initial?: string | null;
  /** States that the search may go through; 1,000,000 by default. */
  readonly maxStates?: number;
}

/** Default of {@link RegisterOptions.maxStates}. A history of the lab takes a few states for each operation. */
export const MAX_STATES = 1_000_000;

/** What may be the case at a moment: which of the operations under way took effect, and what the register holds. */
interface State {
  /** One bit for each operation under way. */
  readonly taken: bigint;
  readonly value: string | null;
}

/**
 * What may be the case, by what the register holds and which of the operations that will return took effect. Of two such
 * states one is enough if it used up fewer writes of unknown outcome: whatever the other leads to, it leads to as well, as
 * such a write may also never happen.
 */
type States = Map<string, readonly State[]>;

/**
 * Is there an order of the operations on one register, each somewhere between its call and its return, in which every
 * read sees the last write before it? Decided exactly, or not at all.
 *
 * Just-in-time linearisation (Lowe, Testing for linearizability, 2017): the search goes through the history in time with
 * all states that may be the case, each kept once; an operation takes effect when it returns, or just before another
 * does. For a register two things need not be guessed: a read that sees the present value takes effect at once, and a
 * write whose value nobody will read takes effect just before the next write. Nor is more than needed remembered of writes of
 * unknown outcome ({@link States}).
 *
 * @param operations - of one key, in any order
 * @throws HistoryTooHard when the bound is reached: never a pass
 */
export function checkRegister(operations: readonly Operation[], options: RegisterOptions = {}): RegisterVerdict {
  const { initial = null, maxStates = MAX_STATES } = options;
  const moments = momentsOf(operations);
  const search = new Search(moments, maxStates);
  let states = search.keep([{ taken: 0n, value: initial }]);
  for (const [at, { what, operation }] of moments.entries()) {
    if (what === 'call') {
      search.call(operation);
      continue;
    }
    const before = states;
    if (what === 'return') states = search.explain(operation, states, at);
    if (states.size === 0) {
      const held = [...new Set(all(before).map(({ value }) => value))];
      return { linearizable: false, states: search.visited, at: operation, held };
    }
    states = search.end(operation, states);
  }
  return { linearizable: true, states: search.visited };
}

class Search {
  visited = 0;
  /** Operations under way and their bits. */
  private readonly open = new Map<Operation, bigint>();
  private readonly free: bigint[] = [];
  /** Bits of those that will not return. */
  private unknown = 0n;
  /** Position of the last return of a read, by the value that it saw. */
  private readonly lastRead = new Map<string | null, number>();

  constructor(
    moments: readonly Moment[],
    private readonly maxStates: number,
  ) {
    for (const [at, { what, operation }] of moments.entries())
      if (what === 'return' && operation.kind === 'read') this.lastRead.set(operation.value, at);
  }

  call(operation: Operation): void {
    const bit = this.free.pop() ?? 1n << BigInt(this.open.size);
    this.open.set(operation, bit);
    if (operation.returnedAt === null) this.unknown |= bit;
  }

  /** The states in which `operation` has taken effect, from all in which it may have or not. */
  explain(operation: Operation, states: States, at: number): States {
    const bit = this.open.get(operation) ?? 0n;
    const explained: States = new Map();
    const seen: States = new Map(states);
    const left = all(states);
    for (let state = left.pop(); state; state = left.pop()) {
      this.count(operation);
      if ((state.taken & bit) !== 0n || (operation.kind === 'read' && operation.value === state.value)) {
        this.put(explained, { ...state, taken: state.taken | bit });
        continue;
      }
      for (const next of this.steps(state, { goal: operation, at })) if (this.put(seen, next)) left.push(next);
    }
    return explained;
  }

  /** An operation is over: its bit means nothing any more. */
  end(operation: Operation, states: States): States {
    const bit = this.open.get(operation) ?? 0n;
    this.open.delete(operation);
    this.free.push(bit);
    this.unknown &= ~bit;
    return this.keep(all(states).map(({ taken, value }) => ({ value, taken: taken & ~bit })));
  }

  keep(states: readonly State[]): States {
    const kept: States = new Map();
    for (const state of states) this.put(kept, state);
    return kept;
  }

  /** Every write that may take effect next and makes a difference: somebody will read it, or it is the one that returns. */
  private steps(state: State, { goal, at }: { goal: Operation; at: number }): State[] {
    let settled = state.taken;
    const choices: [WriteOperation, bigint][] = [];
    for (const [operation, bit] of this.open) {
      if ((state.taken & bit) !== 0n) continue;
      if (operation.kind === 'read') {
        if (operation.value === state.value) settled |= bit;
      } else if (operation === goal || this.isWanted(operation, at)) choices.push([operation, bit]);
      else settled |= bit;
    }
    return choices.map(([{ value }, bit]) => ({ value, taken: settled | bit }));
  }

  private isWanted({ value }: WriteOperation, at: number): boolean {
    return (this.lastRead.get(value) ?? -1) >= at;
  }

  /** False if one was there that leads to everything that this one does. */
  private put(states: States, state: State): boolean {
    const { taken, value } = state;
    const key = `${(taken & ~this.unknown).toString(36)} ${value === null ? '' : `=${value}`}`;
    const there = states.get(key) ?? [];
    if (there.some((other) => isPart(taken, other.taken))) return false;
    states.set(key, [...there.filter((other) => !isPart(other.taken, taken)), state]);
    return true;
  }

  private count({ key }: Operation): void {
    this.visited += 1;
    if (this.visited > this.maxStates) throw new HistoryTooHard({ key, states: this.maxStates });
  }
}

const all = (states: States): State[] => [...states.values()].flat();

const isPart = (of: bigint, part: bigint): boolean => (part & ~of) === 0n;
