import { describe, expect, it } from '@jest/globals';
import { forecast } from '../../../src/domain/budget-forecast.js';
import { viewBudget } from '../../../src/domain/budget-view.js';
import type { Ceilings } from '../../../src/domain/ceilings.js';
import { ticketId } from '../../../src/domain/ids.js';
import { reserve, settle } from '../../../src/domain/ledger.js';
import { EMPTY_LEDGER, type Ledger } from '../../../src/domain/ledger-state.js';

const USD = 1_000_000;
const CEILINGS: Ceilings = { monthUsd: 10, agents: { triage: 8 }, ticketUsd: 9, warnAt: 0.8 };

/** Calls that were settled at once, in the order of their times. */
const booked = (
  calls: readonly { at: string; usd: number; ticket?: number; agent?: string }[],
  from = EMPTY_LEDGER,
): Ledger =>
  calls.reduce((ledger, { at, usd, ticket = 1, agent = 'triage' }, n) => {
    const id = `${at}.${ticket}.${agent}.${n}`.replaceAll(':', '-');
    const asked = { id, ticket: ticketId('tikv', ticket), agent, model: 'm', micros: usd * USD };
    const { ledger: held } = reserve(ledger, asked, CEILINGS, at);
    return settle(held, { id, outcome: { kind: 'used', micros: usd * USD } }, at).ledger;
  }, from);

describe('the view of a budget', () => {
  it('of an instance that never asked for a paid call shows its ceilings with nothing spent', () => {
    const view = viewBudget(null, CEILINGS, '2026-11-16T00:00:00.000Z');
    expect(view.total).toEqual({
      ...{ spentMicros: 0, reservedMicros: 0, ceilingMicros: 10 * USD, leftMicros: 10 * USD, state: 'open' },
      ...{ calls: 0, refused: 0, unknown: 0, overruns: 0 },
    });
    expect(view.agents).toMatchObject([{ agent: 'triage', spentMicros: 0, ceilingMicros: 8 * USD }]);
    expect([view.tickets, view.days, view.months, view.forecast.micros]).toEqual([[], [], [], 0]);
  });

  it('tells apart open, warned, and refusing, and is open again once a call was granted', () => {
    const now = '2026-11-16T00:00:00.000Z';
    const state = (ledger: Ledger, ceilings = CEILINGS) => viewBudget(ledger, ceilings, now).total.state;
    const spent = booked([{ at: now, usd: 7.9 }]);
    expect(state(spent)).toBe('open');
    const warned = booked([{ at: now, usd: 0.1, agent: 'rca', ticket: 2 }], spent);
    expect(state(warned)).toBe('warned');
    const ask = (micros: number) => ({
      id: `x.${micros}`,
      ticket: ticketId('tikv', 3),
      agent: 'rca',
      model: 'm',
      micros,
    });
    const refused = reserve(warned, ask(3 * USD), CEILINGS, now).ledger;
    expect(state(refused)).toBe('reached');
    expect(state(refused, { ...CEILINGS, monthUsd: 100 })).toBe('open');
    expect(state(reserve(refused, ask(USD), CEILINGS, now).ledger)).toBe('warned');
    expect(state(reserve(refused, ask(2 * USD), CEILINGS, now).ledger)).toBe('reached');
  });

  it('shows the twenty tickets that cost most, the days of this month, and earlier months as sums', () => {
    const tickets = Array.from({ length: 25 }, (_, n) => ({
      at: '2026-12-02T00:00:00.000Z',
      usd: 0.01 * n,
      ticket: n + 1,
    }));
    const ledger = booked([{ at: '2026-11-30T00:00:00.000Z', usd: 1, ticket: 90 }, ...tickets]);
    const view = viewBudget(ledger, CEILINGS, '2026-12-03T00:00:00.000Z');
    expect(view.tickets.map(({ ticket }) => ticket).slice(0, 3)).toEqual(['tikv/90', 'tikv/25', 'tikv/24']);
    expect(view.tickets).toHaveLength(20);
    expect(view.days).toEqual([{ day: '2026-12-02', spentMicros: 3 * USD }]);
    expect(view.months).toEqual([
      { month: '2026-11', spentMicros: USD, calls: 1 },
      { month: '2026-12', spentMicros: 3 * USD, calls: 25 },
    ]);
  });
});

describe('the forecast', () => {
  it('adds the mean of the last seven days for each day that is left', () => {
    const { books } = booked([
      { at: '2026-11-02T12:00:00.000Z', usd: 2 },
      { at: '2026-11-12T12:00:00.000Z', usd: 1 },
      { at: '2026-11-15T12:00:00.000Z', usd: 3 },
    ]);
    // 4 dollars from the 12th to the 16th at noon, 14.5 days left.
    expect(forecast(books, '2026-11-16T12:00:00.000Z')).toEqual({
      micros: 6 * USD + Math.round(888_889 * 14.5),
      perDayMicros: 888_889,
      overDays: 4.5,
      daysLeft: 14.5,
    });
  });

  it('takes a day for a day also in its first hour, and knows the month before', () => {
    const { books } = booked([{ at: '2026-11-30T23:00:00.000Z', usd: 2 }]);
    expect(forecast(books, '2026-11-30T23:30:00.000Z')).toMatchObject({ perDayMicros: 2 * USD, overDays: 1 });
    expect(forecast(books, '2026-12-02T00:00:00.000Z')).toEqual({
      ...{ perDayMicros: USD, overDays: 2, daysLeft: 30, micros: 30 * USD },
    });
  });
});
