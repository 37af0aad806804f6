import { Counter, Gauge, type Registry } from 'prom-client';
import type { BudgetView } from '../domain/budget-view.js';
import { MICROS_PER_USD } from '../domain/money.js';
import { inTime } from './in-time.js';

export interface BudgetMetricsOptions {
  readonly registry: Registry;
  /** Asked once for each scrape. If it fails or takes too long, all of them are absent: unknown is not zero. */
  readonly read: () => Promise<BudgetView>;
  /** Default 2000. */
  readonly withinMs?: number;
}

/**
 * Money of the present month, and what became of calls. The numbers are the ledger's, so every worker of an instance
 * shows the same: take their `max`, never their `sum`. Agents and tickets are no labels; `medic budget` has them.
 */
export function registerBudgetMetrics({ registry, read, withinMs = 2_000 }: BudgetMetricsOptions): void {
  const view = shared(() => inTime(read, withinMs).catch(() => null));
  const refill = async (metric: Gauge | Counter, label: string, valuesOf: (view: BudgetView) => Values) => {
    const seen = await view();
    metric.reset();
    for (const [name, value] of Object.entries(seen ? valuesOf(seen) : {})) metric.inc({ [label]: name }, value);
  };
  const registers = [registry];
  new Gauge({
    name: 'medic_budget_usd',
    help: 'Dollars of the present month (UTC): spent, reserved, its ceiling, and the forecast of its end.',
    labelNames: ['state'],
    registers,
    collect() {
      return refill(this, 'state', dollarsOf);
    },
  });
  new Counter({
    name: 'medic_budget_calls_total',
    help: 'Paid calls: granted, lost (counted at their worst case), found (corrected later), overrun (above their worst case).',
    labelNames: ['what'],
    registers,
    collect() {
      return refill(this, 'what', callsOf);
    },
  });
  new Counter({
    name: 'medic_budget_refused_total',
    help: 'Paid calls that were refused, by the ceiling that was reached.',
    labelNames: ['ceiling'],
    registers,
    collect() {
      return refill(this, 'ceiling', ({ counts }) => counts.refused);
    },
  });
}

type Values = Readonly<Record<string, number>>;

const dollarsOf = ({ total, forecast }: BudgetView): Values => ({
  spent: total.spentMicros / MICROS_PER_USD,
  reserved: total.reservedMicros / MICROS_PER_USD,
  ceiling: (total.ceilingMicros ?? 0) / MICROS_PER_USD,
  forecast: forecast.micros / MICROS_PER_USD,
});

const callsOf = ({ counts: { granted, lost, found, overruns } }: BudgetView): Values => ({
  granted,
  lost,
  found,
  overrun: overruns,
});

/** All metrics of one scrape are collected at once and share one answer. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  };
}
