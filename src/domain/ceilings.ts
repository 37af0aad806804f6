import { type Account, MAX_AGENTS, own, type Scope } from './budget-books.js';
import { dollars, type Micros, microsOf } from './money.js';
import { AGENT_NAME, isFields } from './reservation.js';

/** What paid calls may cost; from policies/budget.yaml. */
export interface Ceilings {
  /** All calls of one calendar month (UTC), in dollars. */
  readonly monthUsd: number;
  /** The same for one agent. An agent that is not named is bounded by the month alone. */
  readonly agents: Readonly<Record<string, number>>;
  /** One ticket, over its whole life, in dollars. */
  readonly ticketUsd: number;
  /** The part of a ceiling at which a person is told, above 0 and at most 1. */
  readonly warnAt: number;
}

/** A million dollars: more is a mistake. */
export const MOST_USD = 1e6;

/** The ceiling of an account; `null` when it has none of its own. */
export function ceilingOf(scope: Scope, ceilings: Ceilings): Micros | null {
  switch (scope.kind) {
    case 'month':
      return microsOf(ceilings.monthUsd);
    case 'agent': {
      const usd = own(ceilings.agents, scope.agent);
      return usd === undefined ? null : microsOf(usd);
    }
    case 'ticket':
      return microsOf(ceilings.ticketUsd);
  }
}

/** Whose ceiling it is, for people. */
export function nameOf(scope: Scope): string {
  switch (scope.kind) {
    case 'month':
      return `the month ${scope.month}`;
    case 'agent':
      return `agent ${scope.agent} in ${scope.month}`;
    case 'ticket':
      return `ticket ${scope.ticket}`;
  }
}

/** Why a call is refused: the ceiling, what is spent and reserved, what was asked for. */
export const refusalOf = ({
  scope,
  account,
  ceiling,
  asked,
}: {
  readonly scope: Scope;
  readonly account: Account;
  readonly ceiling: Micros;
  readonly asked: Micros;
}): string =>
  `the ceiling of ${dollars(ceiling)} for ${nameOf(scope)} leaves too little: ${dollars(account.spent)} spent, ` +
  `${dollars(account.reserved)} reserved, ${dollars(asked)} asked for`;

export type BudgetState =
  | 'open'
  /** The part of the ceiling at which a person is told is spent. */
  | 'warned'
  /** The last call that was asked for did not fit, or nothing is left: paid calls are refused. */
  | 'reached';

export function stateOf(account: Account, ceiling: Micros | null, warnAt: number): BudgetState {
  if (ceiling === null) return 'open';
  if (account.spent + account.reserved >= ceiling) return 'reached';
  if (account.refusing !== undefined && ceiling <= account.refusing) return 'reached';
  return isWarning(account, ceiling, warnAt) ? 'warned' : 'open';
}

/** What is only reserved does not count here: worst cases are several times what a call costs. */
export const isWarning = ({ spent }: Account, ceiling: Micros, warnAt: number): boolean =>
  ceiling > 0 && spent >= warnAt * ceiling;

/** What is wrong with the form of ceilings, as a sentence; `null` when nothing is. */
export function faultOfCeilings(given: unknown): string | null {
  if (!isFields(given)) return '`ceilings` is a mapping';
  const { monthUsd, ticketUsd, agents, warnAt } = given;
  if (!isUsd(monthUsd)) return '`monthUsd` is an amount in dollars';
  if (!isUsd(ticketUsd)) return '`ticketUsd` is an amount in dollars';
  if (!isFields(agents)) return '`agents` is a mapping';
  const named = Object.entries(agents);
  if (named.length > MAX_AGENTS) return `\`agents\` has at most ${MAX_AGENTS} entries`;
  if (named.some(([name, usd]) => !AGENT_NAME.test(name) || !isUsd(usd)))
    return '`agents` maps names of agents to amounts in dollars';
  const isPart = typeof warnAt === 'number' && warnAt > 0 && warnAt <= 1;
  return isPart ? null : '`warnAt` is a part above 0, at most 1';
}

const isUsd = (given: unknown): boolean => typeof given === 'number' && given >= 0 && given <= MOST_USD;
