import type { BudgetInput } from '../../workflows/contract.js';
import { MOST_USD } from '../domain/ceilings.js';
import { type Instant, instant } from '../domain/ids.js';
import { reserve, settle } from '../domain/ledger.js';
import { EMPTY_LEDGER, type Ledger } from '../domain/ledger-state.js';
import type { BudgetPort } from '../domain/reservation.js';
import type { Spending, SpendingJournal } from '../evidence/spending-journal.js';

export interface KeptBudgetDeps {
  readonly budget: BudgetPort;
  readonly journal: SpendingJournal;
  readonly now: () => number;
}

/** A budget that writes down what it granted before the call may be made, and what became of it once that is booked. */
export function keepBudget({ budget, journal, now }: KeptBudgetDeps): BudgetPort {
  return {
    async reserve(reserved) {
      const answer = await budget.reserve(reserved);
      if (answer.granted) await journal.write({ at: instant(now()), reserved });
      return answer;
    },
    async settle(settled) {
      await budget.settle(settled);
      await journal.write({ at: instant(now()), settled });
    },
  };
}

/** What a ledger begins with when Temporal has none: everything that was spent this month, by the journal. */
export async function budgetFromJournal(journal: SpendingJournal, now: Instant): Promise<BudgetInput> {
  const spendings = await journal.read(now);
  if (spendings.length === 0) return {};
  return { carried: { v: 1, ledger: spendings.reduce(booked, EMPTY_LEDGER), untold: [] } };
}

/** It was granted then, whatever the ceilings are now. */
const NO_CEILINGS = { monthUsd: MOST_USD, agents: {}, ticketUsd: MOST_USD, warnAt: 1 };

function booked(ledger: Ledger, spending: Spending): Ledger {
  const { ledger: next } =
    'reserved' in spending
      ? reserve(ledger, spending.reserved, NO_CEILINGS, spending.at)
      : settle(ledger, spending.settled, spending.at);
  return { ...next, ceilings: null };
}
