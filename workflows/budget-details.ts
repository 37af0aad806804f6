import { type AccountView, viewBudget } from '../src/domain/budget-view.js';
import type { BudgetState } from '../src/domain/ceilings.js';
import type { Instant } from '../src/domain/ids.js';
import type { Ledger } from '../src/domain/ledger-state.js';
import { amount, dollars } from '../src/domain/money.js';

const STATES: Readonly<Record<BudgetState, string>> = {
  open: 'open',
  warned: 'open, near its ceiling',
  reached: '**ceiling reached: paid calls are refused**',
};

/** Of tickets and of calls in flight. */
const SHOWN = 5;

/** The budget in Markdown, for the Temporal UI. */
export function describeBudget(ledger: Ledger, now: Instant): string {
  if (!ledger.ceilings) return 'No paid call was asked for yet.';
  const { month, total, agents, tickets } = viewBudget(ledger, ledger.ceilings, now);
  return [
    `**${month}** (UTC): ${STATES[total.state]}`,
    `${total.calls} calls, ${total.refused} refused, ${total.unknown} of unknown cost (counted at their worst case)`,
    [
      '| USD | spent | reserved | ceiling | |',
      '|---|---|---|---|---|',
      row('all', total),
      ...agents.map((agent) => row(agent.agent, agent)),
      ...tickets.slice(0, SHOWN).map((ticket) => row(ticket.ticket, ticket)),
    ].join('\n'),
    ...(ledger.open.length > 0 ? [`Calls in flight: ${ledger.open.slice(-SHOWN).map(inFlight).join(', ')}`] : []),
  ].join('\n\n');
}

const row = (name: string, { spentMicros, reservedMicros, ceilingMicros, state }: AccountView): string =>
  `| ${name} | ${amount(spentMicros)} | ${amount(reservedMicros)} | ${ceilingMicros === null ? '-' : amount(ceilingMicros)} | ${STATES[state]} |`;

const inFlight = ({ ticket, micros }: Ledger['open'][number]): string => `${ticket} (at most ${dollars(micros)})`;
