import { type Account, accountOf, EMPTY_ACCOUNT, monthOf, type Scope } from './budget-books.js';
import { type Forecast, forecast } from './budget-forecast.js';
import { type BudgetState, type Ceilings, ceilingOf, stateOf } from './ceilings.js';
import type { Instant } from './ids.js';
import { EMPTY_LEDGER, type Ledger, type LedgerCounts } from './ledger-state.js';
import type { Micros } from './money.js';

/** One account, and what its ceiling leaves. */
export interface AccountView {
  readonly spentMicros: Micros;
  readonly reservedMicros: Micros;
  /** `null`: it has no ceiling of its own. */
  readonly ceilingMicros: Micros | null;
  /** Never negative. */
  readonly leftMicros: Micros | null;
  readonly state: BudgetState;
}

/** The budget at one moment, under the ceilings that are in force; what screens and metrics show. */
export interface BudgetView {
  readonly at: Instant;
  /** `2026-11`, UTC. */
  readonly month: string;
  readonly total: AccountView & {
    readonly calls: number;
    readonly refused: number;
    /** Calls of this month that count at their worst case, because their answer was lost. */
    readonly unknown: number;
    readonly overruns: number;
  };
  readonly forecast: Forecast;
  /** By name: those with a ceiling, and those that spent something this month. */
  readonly agents: readonly (AccountView & { readonly agent: string })[];
  /** Over their whole life; the twenty that cost most. */
  readonly tickets: readonly (AccountView & { readonly ticket: string; readonly lastAskedAt: Instant })[];
  /** Of this month. */
  readonly days: readonly { readonly day: string; readonly spentMicros: Micros }[];
  /** The last twelve. */
  readonly months: readonly { readonly month: string; readonly spentMicros: Micros; readonly calls: number }[];
  /** Since the ledger began. */
  readonly counts: LedgerCounts;
}

const TICKETS_SHOWN = 20;

/** `null` is the ledger of an instance in which no paid call was ever asked for. */
export function viewBudget(ledger: Ledger | null, ceilings: Ceilings, now: Instant): BudgetView {
  const { books, counts } = ledger ?? EMPTY_LEDGER;
  const month = monthOf(now);
  const current = books.months[month];
  const view = (scope: Scope) => viewAccount(scope, accountOf(books, scope) ?? EMPTY_ACCOUNT, ceilings);
  const agents = [...new Set([...Object.keys(ceilings.agents), ...Object.keys(current?.agents ?? {})])].sort();
  return {
    at: now,
    month,
    total: {
      ...view({ kind: 'month', month }),
      calls: current?.calls ?? 0,
      refused: current?.refused ?? 0,
      unknown: (current?.lost ?? 0) - (current?.found ?? 0),
      overruns: current?.overruns ?? 0,
    },
    forecast: forecast(books, now),
    agents: agents.map((agent) => ({ agent, ...view({ kind: 'agent', month, agent }) })),
    tickets: Object.entries(books.tickets)
      .map(([ticket, { at }]) => ({ ticket, ...view({ kind: 'ticket', ticket }), lastAskedAt: at }))
      .sort((a, b) => cost(b) - cost(a))
      .slice(0, TICKETS_SHOWN),
    days: Object.entries(books.days)
      .filter(([day]) => monthOf(day) === month)
      .map(([day, spentMicros]) => ({ day, spentMicros }))
      .sort((a, b) => a.day.localeCompare(b.day)),
    months: Object.entries(books.months)
      .map(([key, { spent, calls }]) => ({ month: key, spentMicros: spent, calls }))
      .sort((a, b) => a.month.localeCompare(b.month)),
    counts,
  };
}

function viewAccount(scope: Scope, account: Account, ceilings: Ceilings): AccountView {
  const ceilingMicros = ceilingOf(scope, ceilings);
  return {
    spentMicros: account.spent,
    reservedMicros: account.reserved,
    ceilingMicros,
    leftMicros: ceilingMicros === null ? null : Math.max(0, ceilingMicros - account.spent - account.reserved),
    state: stateOf(account, ceilingMicros, ceilings.warnAt),
  };
}

const cost = ({ spentMicros, reservedMicros }: AccountView): Micros => spentMicros + reservedMicros;
