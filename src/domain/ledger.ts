import {
  accountOf,
  book,
  changeAccount,
  type Held,
  hasRoomFor,
  MAX_AGENTS,
  monthOf,
  openAccounts,
  pruneBooks,
  type Scope,
  scopesOf,
} from './budget-books.js';
import { tellReached, warn } from './budget-notice.js';
import { type Ceilings, ceilingOf, refusalOf } from './ceilings.js';
import { between, type Instant, instant } from './ids.js';
import { type Changed, count, countInMonth, firstAnswer, type Ledger } from './ledger-state.js';
import { dollars, type Micros } from './money.js';
import type { Reservation, ReserveAnswer, Settlement } from './reservation.js';

/** A paid call takes minutes at most (`callTimeout` of the models): whoever has not settled by now never will. */
export const EXPIRY_MS = 20 * 60_000;

/** Bounds of what is remembered. The oldest goes first: from open to unknown, from unknown to done, from done for good. */
const MOST = { open: 64, unknown: 32, done: 240, refused: 32 } as const;

/**
 * Grants a reservation if the month, the agent and the ticket can each bear its worst case on top of what is spent and
 * reserved. Asking again with an id that is remembered gets the first answer and changes nothing, also after it was
 * settled. A forgotten id is decided anew, which can only count a call twice, never not at all.
 */
export function reserve(
  ledger: Ledger,
  reservation: Reservation,
  ceilings: Ceilings,
  now: Instant,
): Changed & { readonly answer: ReserveAnswer } {
  const first = firstAnswer(ledger, reservation.id);
  if (first) return { ledger, notices: [], answer: first };
  const expired = expire({ ...ledger, ceilings }, now);
  const { id, ticket, agent, micros } = reservation;
  const held: Held = { id, ticket, agent, micros, at: now };
  const opened = { ...expired.ledger, books: openAccounts(expired.ledger.books, held) };
  const refusal = whyNot(opened, held, ceilings);
  const decided = refusal
    ? refuse(opened, held, refusal)
    : { ...grant(opened, held), answer: { granted: true } as const };
  const { ledger: done, notices } = warned(decided.ledger, [held], now);
  return {
    answer: decided.answer,
    ledger: bounded(done, now),
    notices: [...expired.notices, ...decided.notices, ...notices],
  };
}

/**
 * Books what became of a call, in the month in which it was reserved. What was settled for good stays; what is unknown
 * is corrected by the first settlement that knows. Above its reservation it is booked all the same, and told.
 */
export function settle(ledger: Ledger, settlement: Settlement, now: Instant): Changed {
  const expired = expire(ledger, now);
  const { id } = settlement;
  const open = expired.ledger.open.find((held) => held.id === id);
  const lost = expired.ledger.unknown.find((held) => held.id === id);
  const held = open ?? lost;
  if (!held) return firstAnswer(ledger, id) ? expired : { ...expired, ledger: count(expired.ledger, { strays: 1 }) };
  const settled = open ? settleOpen(expired.ledger, open, settlement) : settleLost(expired.ledger, held, settlement);
  const { ledger: done, notices } = warned(settled.ledger, [held], now);
  return { ledger: bounded(done, now), notices: [...expired.notices, ...settled.notices, ...notices] };
}

/** Counts as spent, at their worst case, all calls that nobody settled in time. */
export function expire(ledger: Ledger, now: Instant): Changed {
  const late = ledger.open.filter((held) => between(held.at, now) >= EXPIRY_MS);
  if (late.length === 0) return { ledger, notices: [] };
  return bound(warned(late.reduce(lose, ledger), late, now), now);
}

/** When `expire` has something to do next; `null` while nothing is open. */
export function nextExpiry({ open: [oldest] }: Ledger): Instant | null {
  return oldest ? instant(Date.parse(oldest.at) + EXPIRY_MS) : null;
}

interface Refusal {
  readonly scope: Scope;
  readonly ceiling: Micros;
  readonly reason: string;
}

function whyNot({ books }: Ledger, held: Held, ceilings: Ceilings): Refusal | null {
  for (const scope of scopesOf(held)) {
    const account = accountOf(books, scope);
    const ceiling = ceilingOf(scope, ceilings);
    if (!account || ceiling === null || account.spent + account.reserved + held.micros <= ceiling) continue;
    return { scope, ceiling, reason: refusalOf({ scope, account, ceiling, asked: held.micros }) };
  }
  if (hasRoomFor(books, held)) return null;
  const reason = `${MAX_AGENTS} agents had paid calls in ${monthOf(held.at)}, and no more have an account`;
  return { scope: { kind: 'agent', month: monthOf(held.at), agent: held.agent }, ceiling: 0, reason };
}

function refuse(
  ledger: Ledger,
  { id, at }: Held,
  { scope, ceiling, reason }: Refusal,
): Changed & { answer: ReserveAnswer } {
  const { books, notices } = tellReached(ledger.books, scope, { ceiling, reason });
  const refused = [...ledger.refused, { id, ceiling: scope.kind, reason }];
  const { refused: before } = ledger.counts;
  const counts = { ...ledger.counts, refused: { ...before, [scope.kind]: before[scope.kind] + 1 } };
  return {
    ledger: { ...ledger, refused, counts, books: countInMonth(books, at, { refused: 1 }) },
    notices,
    answer: { granted: false, ceiling: scope.kind, reason },
  };
}

function grant(ledger: Ledger, held: Held): Changed {
  const free = scopesOf(held).reduce(
    (books, scope) => changeAccount(books, scope, (account) => ({ ...account, refusing: undefined })),
    ledger.books,
  );
  const books = countInMonth(book(free, held, { spent: 0, reserved: held.micros }), held.at, { calls: 1 });
  return { ledger: count({ ...ledger, books, open: [...ledger.open, held] }, { granted: 1 }), notices: [] };
}

function settleOpen(ledger: Ledger, held: Held, { outcome }: Settlement): Changed {
  if (outcome.kind === 'unknown') return { ledger: lose(ledger, held), notices: [] };
  const spent = outcome.kind === 'used' ? outcome.micros : 0;
  const open = without(ledger.open, held);
  return finish({ ...ledger, open }, held, { spent, reserved: -held.micros });
}

function settleLost(ledger: Ledger, held: Held, { outcome }: Settlement): Changed {
  if (outcome.kind === 'unknown') return { ledger, notices: [] };
  const spent = outcome.kind === 'used' ? outcome.micros : 0;
  const books = countInMonth(ledger.books, held.at, { found: 1 });
  const found = count({ ...ledger, books, unknown: without(ledger.unknown, held) }, { found: 1 });
  return finish(found, held, { spent: spent - held.micros, reserved: 0 });
}

/** Nobody knows whether it was paid for. */
function lose(ledger: Ledger, held: Held): Ledger {
  const booked = book(ledger.books, held, { spent: held.micros, reserved: -held.micros });
  return count(
    {
      ...ledger,
      books: countInMonth(booked, held.at, { lost: 1 }),
      open: without(ledger.open, held),
      unknown: [...ledger.unknown, held],
    },
    { lost: 1 },
  );
}

/** Settled for good. Both changes together are what the call cost beyond its reservation, should they be above zero. */
function finish(ledger: Ledger, held: Held, by: { readonly spent: Micros; readonly reserved: Micros }): Changed {
  const done = { ...ledger, books: book(ledger.books, held, by), done: [...ledger.done, held.id] };
  const excess = by.spent + by.reserved;
  if (excess <= 0) return { ledger: done, notices: [] };
  const isFirst = ledger.books.months[monthOf(held.at)]?.overruns === 0;
  const counted = count({ ...done, books: countInMonth(done.books, held.at, { overruns: 1 }) }, { overruns: 1 });
  const cost = dollars(held.micros + excess);
  const text = `A call of ticket ${held.ticket} cost ${cost}, more than the ${dollars(held.micros)} reserved as its worst case. It is booked; the estimate is wrong.`;
  return { ledger: counted, notices: isFirst ? [{ kind: 'overrun', text }] : [] };
}

/** Only accounts that still count warn: those of past months do not. */
function warned(ledger: Ledger, touched: readonly Held[], now: Instant): Changed {
  if (!ledger.ceilings) return { ledger, notices: [] };
  const scopes = touched.flatMap(scopesOf).filter((scope) => scope.kind === 'ticket' || scope.month === monthOf(now));
  const { books, notices } = warn(ledger.books, scopes, ledger.ceilings);
  return { ledger: { ...ledger, books }, notices };
}

const bound = ({ ledger, notices }: Changed, now: Instant): Changed => ({ ledger: bounded(ledger, now), notices });

function bounded(ledger: Ledger, now: Instant): Ledger {
  const early = ledger.open.slice(0, -MOST.open).reduce(lose, ledger);
  const final = early.unknown.slice(0, -MOST.unknown).map(({ id }) => id);
  const unknown = early.unknown.slice(-MOST.unknown);
  const pinned = new Set([...early.open, ...unknown].map(({ ticket }) => ticket));
  return {
    ...early,
    unknown,
    done: [...early.done, ...final].slice(-MOST.done),
    refused: early.refused.slice(-MOST.refused),
    books: pruneBooks(early.books, { now, pinned }),
  };
}

const without = (held: readonly Held[], one: Held): readonly Held[] => held.filter(({ id }) => id !== one.id);
