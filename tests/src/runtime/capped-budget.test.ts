import { describe, expect, it } from '@jest/globals';
import { ticketId } from '../../../src/domain/ids.js';
import type { Reservation } from '../../../src/domain/reservation.js';
import { capBudget } from '../../../src/runtime/capped-budget.js';
import { openBudget } from '../reasoner/claude/room.js';

const asked = (id: string, micros: number): Reservation => ({
  id,
  ticket: ticketId('tikv', 1),
  agent: 'on-call-triage',
  model: 'claude-test',
  micros,
});

function capped(micros: number) {
  const below = openBudget();
  const reasons: string[] = [];
  return { below, reasons, budget: capBudget(below.port, { micros, onRefused: (reason) => reasons.push(reason) }) };
}

describe('a budget with a ceiling of its own', () => {
  it('refuses what goes beyond it at its worst case, and does not ask the budget below', async () => {
    const { below, reasons, budget } = capped(100);
    expect(await budget.reserve(asked('a', 60))).toEqual({ granted: true });
    expect(await budget.reserve(asked('b', 60))).toMatchObject({ granted: false });
    expect(below.reservations.map(({ id }) => id)).toEqual(['a']);
    expect(reasons).toEqual(['the ceiling of 0.0001 USD: 0.0001 USD used, 0.0001 USD asked for']);
  });

  it('counts a settled call at its cost, one of unknown cost at its worst case, and a released one not at all', async () => {
    const { budget } = capped(100);
    await budget.reserve(asked('a', 90));
    await budget.settle({ id: 'a', outcome: { kind: 'used', micros: 10 } });
    await budget.reserve(asked('b', 90));
    await budget.settle({ id: 'b', outcome: { kind: 'released', why: 'refused' } });
    await budget.reserve(asked('c', 80));
    await budget.settle({ id: 'c', outcome: { kind: 'unknown', why: 'cut' } });
    expect(await budget.reserve(asked('d', 10))).toEqual({ granted: true });
    expect(await budget.reserve(asked('e', 1))).toMatchObject({ granted: false });
  });
});
