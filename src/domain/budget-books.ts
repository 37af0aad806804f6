import type { Instant } from './ids.js';
import type { Micros } from './money.js';

/** What one month, agent or ticket has spent and reserved. */
export interface Account {
  readonly spent: Micros;
  readonly reserved: Micros;
  /** The ceiling for which its warning was told: told again only for a higher one. */
  readonly warned?: Micros;
  /** The ceiling for which it was told that calls are refused. */
  readonly reached?: Micros;
  /** The ceiling that refused the last call asked for; absent once one was granted again. */
  readonly refusing?: Micros;
}

export interface MonthBook extends Account {
  /** Granted, refused, settled by nobody or as `unknown`, of those settled after all, above their reservation. */
  readonly calls: number;
  readonly refused: number;
  readonly lost: number;
  readonly found: number;
  readonly overruns: number;
  /** Kept for this month and the last. */
  readonly agents: Readonly<Record<string, Account>>;
}

export interface TicketAccount extends Account {
  /** When it last asked for something. */
  readonly at: Instant;
}

/** All accounts. Months are keyed `2026-11`, days `2026-11-30`, both UTC. */
export interface Books {
  /** The last twelve. */
  readonly months: Readonly<Record<string, MonthBook>>;
  /** Over their whole life; those that asked last. */
  readonly tickets: Readonly<Record<string, TicketAccount>>;
  /** What was spent on calls that were reserved on this day; of this month and the last. */
  readonly days: Readonly<Record<string, Micros>>;
}

export const NO_BOOKS: Books = { months: {}, tickets: {}, days: {} };
export const EMPTY_ACCOUNT: Account = { spent: 0, reserved: 0 };
const EMPTY_MONTH: MonthBook = { ...EMPTY_ACCOUNT, calls: 0, refused: 0, lost: 0, found: 0, overruns: 0, agents: {} };

/** One account. */
export type Scope =
  | { readonly kind: 'month'; readonly month: string }
  | { readonly kind: 'agent'; readonly month: string; readonly agent: string }
  | { readonly kind: 'ticket'; readonly ticket: string };

/** Who asked, and when: what says which accounts a call is booked on. */
export interface Asker {
  readonly ticket: string;
  readonly agent: string;
  readonly at: Instant;
}

/** A granted reservation. It stays in the month in which it was made. */
export interface Held extends Asker {
  readonly id: string;
  readonly micros: Micros;
}

const MONTHS_KEPT = 12;
/** An agent beyond these has no account in a month and gets no paid call: the ledger is bounded. */
export const MAX_AGENTS = 16;
/** More than reservations can be open and unknown together, so that one of the others can always go. */
export const MAX_TICKETS = 100;

/** The value of a key that came from outside: `constructor` is a legal name of an agent. */
export const own = <T>(of: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(of, key) ? of[key] : undefined;

export const monthOf = (at: Instant): string => at.slice(0, 7);
export const dayOf = (at: Instant): string => at.slice(0, 10);

export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 2, 1)).toISOString());
}

/** From the widest to the narrowest. */
export const scopesOf = ({ ticket, agent, at }: Asker): readonly Scope[] => [
  { kind: 'month', month: monthOf(at) },
  { kind: 'agent', month: monthOf(at), agent },
  { kind: 'ticket', ticket },
];

/** `undefined` when nothing was ever asked for, or it is too long ago. */
export function accountOf({ months, tickets }: Books, scope: Scope): Account | undefined {
  switch (scope.kind) {
    case 'month':
      return months[scope.month];
    case 'agent':
      return own(months[scope.month]?.agents ?? {}, scope.agent);
    case 'ticket':
      return tickets[scope.ticket];
  }
}

/** Changes an account that is there; one that is not stays away. */
export function changeAccount(books: Books, scope: Scope, change: (account: Account) => Account): Books {
  switch (scope.kind) {
    case 'month':
      return changeMonth(books, scope.month, (month) => ({ ...month, ...change(month) }));
    case 'agent':
      return changeMonth(books, scope.month, (month) => ({
        ...month,
        agents: changed(month.agents, scope.agent, change),
      }));
    case 'ticket':
      return {
        ...books,
        tickets: changed(books.tickets, scope.ticket, (account) => ({ ...account, ...change(account) })),
      };
  }
}

export const changeMonth = (books: Books, month: string, change: (month: MonthBook) => MonthBook): Books => ({
  ...books,
  months: changed(books.months, month, change),
});

function changed<T>(
  of: Readonly<Record<string, T>>,
  key: string,
  change: (value: T) => T,
): Readonly<Record<string, T>> {
  const value = own(of, key);
  return value === undefined ? of : { ...of, [key]: change(value) };
}

/** Is there an account for this agent, or room for one? */
export function hasRoomFor({ months }: Books, { agent, at }: Asker): boolean {
  const agents = months[monthOf(at)]?.agents ?? {};
  return own(agents, agent) !== undefined || Object.keys(agents).length < MAX_AGENTS;
}

/** Opens the accounts that a call needs, and notes that its ticket has asked. */
export function openAccounts(books: Books, asker: Asker): Books {
  const { ticket, agent, at } = asker;
  const month = books.months[monthOf(at)] ?? EMPTY_MONTH;
  const agents = hasRoomFor(books, asker)
    ? { ...month.agents, [agent]: own(month.agents, agent) ?? EMPTY_ACCOUNT }
    : month.agents;
  return {
    ...books,
    months: { ...books.months, [monthOf(at)]: { ...month, agents } },
    tickets: { ...books.tickets, [ticket]: { ...(books.tickets[ticket] ?? EMPTY_ACCOUNT), at } },
  };
}

/** Adds to all accounts of a reservation. */
export function book(books: Books, held: Held, by: { readonly spent: Micros; readonly reserved: Micros }): Books {
  const add = (account: Account): Account => ({
    ...account,
    spent: account.spent + by.spent,
    reserved: account.reserved + by.reserved,
  });
  const booked = scopesOf(held).reduce((sum, scope) => changeAccount(sum, scope, add), books);
  if (by.spent === 0) return booked;
  const day = dayOf(held.at);
  return { ...booked, days: { ...booked.days, [day]: (booked.days[day] ?? 0) + by.spent } };
}

/**
 * Drops what is too old. Of too many tickets that one goes which has not asked for the longest time; never one with a
 * call that is open or unknown (`pinned`). Should it ask again, its account begins anew.
 */
export function pruneBooks(books: Books, { now, pinned }: { now: Instant; pinned: ReadonlySet<string> }): Books {
  const last = monthBefore(monthOf(now));
  const kept = Object.keys(books.months).sort().slice(-MONTHS_KEPT);
  const months = kept.flatMap((key) => {
    const month = books.months[key];
    return month ? [[key, key < last ? { ...month, agents: {} } : month] as const] : [];
  });
  return {
    months: Object.fromEntries(months),
    days: Object.fromEntries(Object.entries(books.days).filter(([day]) => monthOf(day) >= last)),
    tickets: Object.fromEntries(keptTickets(Object.entries(books.tickets), pinned)),
  };
}

function keptTickets(tickets: readonly [string, TicketAccount][], pinned: ReadonlySet<string>) {
  const excess = tickets.length - MAX_TICKETS;
  if (excess <= 0) return tickets;
  const idle = tickets.filter(([ticket]) => !pinned.has(ticket)).sort(([, a], [, b]) => (a.at < b.at ? -1 : 1));
  const dropped = new Set(idle.slice(0, excess).map(([ticket]) => ticket));
  return tickets.filter(([ticket]) => !dropped.has(ticket));
}
