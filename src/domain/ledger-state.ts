import { type Books, changeMonth, type Held, type MonthBook, monthOf, NO_BOOKS } from './budget-books.js';
import type { BudgetNotice } from './budget-notice.js';
import type { Ceilings } from './ceilings.js';
import type { Instant } from './ids.js';
import type { CeilingKind, ReserveAnswer } from './reservation.js';

/**
 * The money of one instance. Everything in it is bounded, so that it can be carried through continue-as-new for ever:
 * at most 100 KiB as JSON, whatever is asked of it.
 */
export interface Ledger {
  readonly books: Books;
  /** Granted and not settled, the oldest first. */
  readonly open: readonly Held[];
  /** Counted as spent at their worst case, because nobody knows better; a settlement still corrects them. */
  readonly unknown: readonly Held[];
  /** Ids that were granted and settled for good. */
  readonly done: readonly string[];
  readonly refused: readonly Refused[];
  readonly counts: LedgerCounts;
  /** Those of the last reservation; `null` before the first. */
  readonly ceilings: Ceilings | null;
}

export interface Refused {
  readonly id: string;
  readonly ceiling: CeilingKind;
  readonly reason: string;
}

/** Since the ledger began. They only grow. */
export interface LedgerCounts {
  readonly granted: number;
  readonly refused: Readonly<Record<CeilingKind, number>>;
  readonly lost: number;
  readonly found: number;
  readonly overruns: number;
  /** Settlements of ids that are not known, or not any more: they change nothing. */
  readonly strays: number;
}

export const EMPTY_LEDGER: Ledger = {
  books: NO_BOOKS,
  open: [],
  unknown: [],
  done: [],
  refused: [],
  counts: { granted: 0, refused: { month: 0, agent: 0, ticket: 0 }, lost: 0, found: 0, overruns: 0, strays: 0 },
  ceilings: null,
};

export interface Changed {
  readonly ledger: Ledger;
  /** To be told to a person. */
  readonly notices: readonly BudgetNotice[];
}

/** What an id that is remembered was answered; `null` for another. */
export function firstAnswer({ open, unknown, done, refused }: Ledger, id: string): ReserveAnswer | null {
  const refusal = refused.find((one) => one.id === id);
  if (refusal) return { granted: false, ceiling: refusal.ceiling, reason: refusal.reason };
  const isKnown = done.includes(id) || [...open, ...unknown].some((held) => held.id === id);
  return isKnown ? { granted: true } : null;
}

type Counted = Omit<LedgerCounts, 'refused'>;

/** Adds to the counts since the ledger began. */
export function count(ledger: Ledger, by: Partial<Counted>): Ledger {
  const entries = Object.entries(by) as [keyof Counted, number][];
  const added = Object.fromEntries(entries.map(([name, more]) => [name, ledger.counts[name] + more]));
  return { ...ledger, counts: { ...ledger.counts, ...added } };
}

type MonthCount = 'calls' | 'refused' | 'lost' | 'found' | 'overruns';

/** Adds to the counts of a month. */
export function countInMonth(books: Books, at: Instant, by: Partial<Record<MonthCount, number>>): Books {
  const entries = Object.entries(by) as [MonthCount, number][];
  return changeMonth(books, monthOf(at), (month: MonthBook) => ({
    ...month,
    ...Object.fromEntries(entries.map(([name, more]) => [name, month[name] + more])),
  }));
}
