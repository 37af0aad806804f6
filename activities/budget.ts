import type { BudgetNotice } from '../src/domain/budget-notice.js';
import type { BudgetActivities } from '../workflows/contract.js';

export interface BudgetDeps {
  readonly tell: (notice: BudgetNotice) => void;
}

/** Tells people of the budget. */
export function createBudget({ tell }: BudgetDeps): BudgetActivities {
  return {
    async tellBudget(notice) {
      tell(notice);
    },
  };
}
