import { dollars, type Micros } from '../domain/money.js';
import type { BudgetPort, Reservation, ReserveAnswer } from '../domain/reservation.js';

export interface CapOptions {
  /** The ceiling. */
  readonly micros: Micros;
  /** Gets the reason of every refusal, of the ceiling or of the budget. */
  readonly onRefused: (reason: string) => void;
}

/**
 * A budget of which only so much may be used: what is granted counts at its worst case until it is settled. What goes
 * beyond is refused without asking the budget.
 */
export function capBudget(budget: BudgetPort, { micros, onRefused }: CapOptions): BudgetPort {
  const open = new Map<string, number>();
  let spent = 0;
  const inUse = () => [...open.values()].reduce((sum, part) => sum + part, spent);
  const refusal = ({ micros: asked }: Reservation) =>
    `the ceiling of ${dollars(micros)}: ${dollars(inUse())} used, ${dollars(asked)} asked for`;

  async function ask(request: Reservation): Promise<ReserveAnswer> {
    if (inUse() + request.micros > micros) return { granted: false, ceiling: 'ticket', reason: refusal(request) };
    return budget.reserve(request);
  }

  return {
    async reserve(request) {
      const answer = await ask(request);
      if (answer.granted) open.set(request.id, request.micros);
      else onRefused(answer.reason);
      return answer;
    },
    async settle(settlement) {
      const worst = open.get(settlement.id) ?? 0;
      open.delete(settlement.id);
      const { outcome } = settlement;
      spent += outcome.kind === 'used' ? outcome.micros : outcome.kind === 'unknown' ? worst : 0;
      await budget.settle(settlement);
    },
  };
}
