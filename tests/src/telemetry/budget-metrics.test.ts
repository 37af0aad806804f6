import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { type BudgetView, viewBudget } from '../../../src/domain/budget-view.js';
import type { Ceilings } from '../../../src/domain/ceilings.js';
import { ticketId } from '../../../src/domain/ids.js';
import { reserve, settle } from '../../../src/domain/ledger.js';
import { EMPTY_LEDGER } from '../../../src/domain/ledger-state.js';
import { registerBudgetMetrics } from '../../../src/telemetry/budget-metrics.js';

const NOW = '2026-11-30T12:00:00.000Z';
const CEILINGS: Ceilings = { monthUsd: 1, agents: {}, ticketUsd: 1, warnAt: 0.8 };

function spent(): BudgetView {
  const call = (id: string, micros: number) => ({
    id,
    ticket: ticketId('tikv', 1),
    agent: 'triage',
    model: 'm',
    micros,
  });
  let { ledger } = reserve(EMPTY_LEDGER, call('a', 500_000), CEILINGS, NOW);
  ledger = settle(ledger, { id: 'a', outcome: { kind: 'used', micros: 250_000 } }, NOW).ledger;
  ledger = reserve(ledger, call('b', 125_000), CEILINGS, NOW).ledger;
  ledger = reserve(ledger, call('c', 900_000), CEILINGS, NOW).ledger;
  return viewBudget(ledger, CEILINGS, NOW);
}

describe('the metrics of the budget', () => {
  it('show dollars of the month and what became of calls, asking once for each scrape', async () => {
    const registry = new Registry();
    let asked = 0;
    registerBudgetMetrics({
      registry,
      read: async () => {
        asked += 1;
        return spent();
      },
    });
    for (let scrape = 1; scrape <= 2; scrape += 1) {
      const text = await registry.metrics();
      expect(asked).toBe(scrape);
      expect(text).toContain('medic_budget_usd{state="spent"} 0.25\n');
      expect(text).toContain('medic_budget_usd{state="reserved"} 0.125\n');
      expect(text).toContain('medic_budget_usd{state="ceiling"} 1\n');
      expect(text).toContain('medic_budget_calls_total{what="granted"} 2\n');
      expect(text).toContain('medic_budget_refused_total{ceiling="month"} 1\n');
      expect(text).toContain('medic_budget_refused_total{ceiling="agent"} 0\n');
    }
  });

  it('are absent, rather than zero, when the budget cannot be asked', async () => {
    const registry = new Registry();
    const answers = [
      async () => spent(),
      () => Promise.reject(new Error('no worker')),
      () => new Promise<never>(() => {}),
    ];
    registerBudgetMetrics({ registry, read: () => (answers.shift() ?? (async () => spent()))(), withinMs: 50 });
    expect(await registry.metrics()).toContain('medic_budget_usd{');
    expect(await registry.metrics()).not.toContain('medic_budget_usd{');
    expect(await registry.metrics()).not.toContain('medic_budget_refused_total{');
    expect(answers).toHaveLength(0);
  });
});
