import type { Forecast } from '../domain/budget-forecast.js';
import type { AccountView, BudgetView } from '../domain/budget-view.js';
import type { BudgetState } from '../domain/ceilings.js';
import { amount, dollars } from '../domain/money.js';
import { EXIT } from './exit-codes.js';
import { budgetOfHome, journalOfHome } from './instance-budget.js';
import { printJson, type Screen } from './screen.js';
import { withLiveSession } from './session.js';
import { asSilence } from './silence.js';
import { printTable } from './table.js';

export interface BudgetOptions {
  readonly home: string;
  readonly json?: boolean;
}

/**
 * `medic budget`: what paid calls of this month cost, what is left, and the forecast. Where no ledger answers, the journal of the
 * home tells it, and that is said.
 */
export async function showBudget({ home, json }: BudgetOptions, screen: Screen): Promise<number> {
  const { view, why } = await readBudget(home);
  if (json) printJson(screen, 'budget', view);
  else printBudget(view, screen);
  if (why !== null) screen.err(`only the journal of what was spent was read: ${why}`);
  return EXIT.ok;
}

async function readBudget(home: string): Promise<{ readonly view: BudgetView; readonly why: string | null }> {
  try {
    const view = await withLiveSession(home, ({ client }) => budgetOfHome(home, client).view());
    return { view, why: null };
  } catch (error) {
    const silence = await asSilence(error);
    const view = silence && (await journalOfHome(home));
    if (!view) throw error;
    return { view, why: silence.message };
  }
}

/** Sentences to stderr, the accounts as one table to stdout. */
export function printBudget(view: BudgetView, screen: Screen): void {
  for (const line of sentences(view)) screen.err(line);
  printTable(screen, {
    heads: ['OF', 'NAME', 'SPENT', 'RESERVED', 'LEFT', 'CEILING', 'STATE'],
    rows: [
      accountRow('month', view.month, view.total),
      ...view.agents.map((agent) => accountRow('agent', agent.agent, agent)),
      ...view.tickets.map((ticket) => accountRow('ticket', ticket.ticket, ticket)),
      ...view.days.map(({ day, spentMicros }) => ['day', day, amount(spentMicros), ...['-', '-', '-', '-']]),
    ],
  });
}

const STATES: Readonly<Record<BudgetState, string>> = {
  open: 'open',
  warned: 'warned',
  reached: 'ceiling reached: paid calls refused',
};

const accountRow = (
  of: string,
  name: string,
  { spentMicros, reservedMicros, leftMicros, ceilingMicros, state }: AccountView,
): string[] => [
  of,
  name,
  amount(spentMicros),
  amount(reservedMicros),
  leftMicros === null ? '-' : amount(leftMicros),
  ceilingMicros === null ? '-' : amount(ceilingMicros),
  STATES[state],
];

function sentences({ month, total, forecast, counts, months }: BudgetView): string[] {
  if (counts.granted === 0 && total.refused === 0)
    return [`no paid call was ever asked for; ${dollars(total.leftMicros ?? 0)} may be spent in ${month}`];
  const before = months
    .filter((each) => each.month !== month)
    .map((each) => `${each.month} ${amount(each.spentMicros)}`);
  return [
    `${month} (UTC): ${total.calls} paid calls, ${total.refused} refused`,
    forecastSentence(forecast, month),
    ...(total.unknown > 0 ? [`${total.unknown} with a lost answer, counted at their worst case`] : []),
    ...(total.overruns > 0 ? [`${total.overruns} cost more than their worst case: the estimate is wrong`] : []),
    ...(before.length > 0 ? [`earlier months: ${before.join(', ')}`] : []),
  ];
}

const forecastSentence = ({ micros, perDayMicros, overDays, daysLeft }: Forecast, month: string): string =>
  `forecast for ${month}: ${dollars(micros)} = spent and reserved so far, and ${dollars(perDayMicros)} a day ` +
  `(mean of the last ${overDays.toFixed(1)} days) for the ${daysLeft.toFixed(1)} days left`;
