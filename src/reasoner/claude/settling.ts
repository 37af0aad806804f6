import type { BudgetPort, Settlement } from '../../domain/reservation.js';

/** So many lost settlements are kept; each one that is dropped counts at its worst case, which never breaks a ceiling. */
const MAX_LOST = 200;

/**
 * Settles without ever failing the call that was paid for: its answer is worth more than its bill. A settlement that
 * the budget did not take is sent again with the next one; until then the ledger counts the reservation in full.
 */
export function createSettling(budget: BudgetPort): (settlement: Settlement) => Promise<void> {
  let lost: Settlement[] = [];

  return async (settlement) => {
    const due = [...lost, settlement];
    lost = [];
    for (const [index, one] of due.entries()) {
      try {
        await budget.settle(one);
      } catch {
        lost = [...lost, ...due.slice(index)].slice(-MAX_LOST);
        return;
      }
    }
  };
}
