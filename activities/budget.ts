import type { BudgetNotice } from '../src/domain/budget-notice.js';
import type { BudgetActivities } from '../workflows/activity-contract.js';
import { currentEvent } from './run-id.js';

export interface BudgetDeps {
  /** `event` is the same over all tries of one activity. */
  readonly tell: (notice: BudgetNotice & { readonly event: string }) => Promise<void>;
}

/** Tells people of the budget. */
export function createBudget({ tell }: BudgetDeps): BudgetActivities {
  return {
    async tellBudget(notice) {
      await tell({ ...notice, event: currentEvent() });
    },
  };
}
