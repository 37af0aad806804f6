import type { Client } from '@temporalio/client';
import { loadBudget } from '../config/budget.js';
import { type BudgetView, viewBudget } from '../domain/budget-view.js';
import type { Ceilings } from '../domain/ceilings.js';
import { instant } from '../domain/ids.js';
import type { BudgetPort } from '../domain/reservation.js';
import { createSpendingJournal } from '../evidence/spending-journal.js';
import { createBudgetClient, readLedger } from './budget-client.js';
import { budgetFromJournal, keepBudget } from './kept-budget.js';

export interface InstanceBudgetOptions {
  readonly client: Client;
  readonly taskQueue: string;
  /** Absolute. Holds the journal of what was spent. */
  readonly home: string;
  readonly budgetFile: string;
  readonly now: () => number;
}

/**
 * What the journal of a home holds, for when its ledger does not answer; `null`: nothing was spent. What the last instants
 * brought may be missing.
 */
export async function viewOfJournal({
  home,
  budgetFile,
  now,
}: Pick<InstanceBudgetOptions, 'home' | 'budgetFile' | 'now'>): Promise<BudgetView | null> {
  const at = instant(now());
  const { carried } = await budgetFromJournal(createSpendingJournal({ home }), at);
  return carried ? viewBudget(carried.ledger, (await loadBudget(budgetFile)).ceilings, at) : null;
}

/** The budget of one instance: the ledger in Temporal, the journal in its home, the ceilings of the present configuration. */
export interface InstanceBudget {
  readonly port: BudgetPort;
  ceilings(): Promise<Ceilings>;
  /** The ledger as it is, or as the next reservation would begin it. */
  view(): Promise<BudgetView>;
}

export function createInstanceBudget(options: InstanceBudgetOptions): InstanceBudget {
  const { client, taskQueue, home, budgetFile, now } = options;
  const journal = createSpendingJournal({ home });
  const ceilings = async () => (await loadBudget(budgetFile)).ceilings;
  const begin = () => budgetFromJournal(journal, instant(now()));
  return {
    port: keepBudget({ budget: createBudgetClient({ client, taskQueue, ceilings, begin, now }), journal, now }),
    ceilings,
    async view() {
      const ledger = (await readLedger(client)) ?? (await begin()).carried?.ledger ?? null;
      return viewBudget(ledger, await ceilings(), instant(now()));
    },
  };
}
