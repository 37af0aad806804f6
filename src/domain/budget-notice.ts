import { accountOf, type Books, changeAccount, type Scope } from './budget-books.js';
import { type Ceilings, ceilingOf, isWarning, nameOf } from './ceilings.js';
import { dollars } from './money.js';

/** What a person is told of the budget. */
export interface BudgetNotice {
  readonly kind: 'warning' | 'reached' | 'overrun';
  /** A sentence. */
  readonly text: string;
}

/** Books in which is noted what was told, so that it is told once. */
export interface Told {
  readonly books: Books;
  readonly notices: readonly BudgetNotice[];
}

/**
 * Warns of each account that has spent its part of the ceiling: once in its life (of a month, a month's agent, a
 * ticket), and again only if the ceiling was raised since. That it is reached, once told, is warning enough.
 */
export const warn = (books: Books, scopes: readonly Scope[], ceilings: Ceilings): Told =>
  scopes.reduce<Told>((told, scope) => warnOf(told, scope, ceilings), { books, notices: [] });

function warnOf(told: Told, scope: Scope, ceilings: Ceilings): Told {
  const account = accountOf(told.books, scope);
  const ceiling = ceilingOf(scope, ceilings);
  if (!account || ceiling === null || !isWarning(account, ceiling, ceilings.warnAt)) return told;
  if (ceiling <= Math.max(account.warned ?? 0, account.reached ?? 0)) return told;
  const percent = Math.round(ceilings.warnAt * 100);
  const text = `${percent} % of the ceiling of ${dollars(ceiling)} for ${nameOf(scope)} is spent: ${dollars(account.spent)}.`;
  return {
    books: changeAccount(told.books, scope, (a) => ({ ...a, warned: ceiling })),
    notices: [...told.notices, { kind: 'warning', text }],
  };
}

/**
 * Notes that a call was refused by this account's ceiling, and tells it once, as with warnings. An agent without an
 * account is not told of: its tickets say it.
 */
export function tellReached(
  books: Books,
  scope: Scope,
  { ceiling, reason }: { ceiling: number; reason: string },
): Told {
  const account = accountOf(books, scope);
  const isTold = !account || ceiling <= (account.reached ?? -1);
  return {
    books: changeAccount(books, scope, (before) => ({
      ...before,
      refusing: ceiling,
      reached: Math.max(ceiling, before.reached ?? 0),
    })),
    notices: isTold ? [] : [{ kind: 'reached', text: `A paid call was refused: ${reason}. ${CONSEQUENCE}` }],
  };
}

const CONSEQUENCE = 'Tickets go on with rules, or hand over with a brief.';
