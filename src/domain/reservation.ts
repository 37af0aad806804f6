import type { TicketId } from './ids.js';
import type { Micros } from './money.js';

/** Asked for before every paid call, at its worst case. */
export interface Reservation {
  /** Run of the ticket's workflow, turn, try and number of the call: `<run>.3.1.2`. */
  readonly id: string;
  readonly ticket: TicketId;
  readonly agent: string;
  readonly model: string;
  /** Worst case in millionths of a dollar, a whole number. */
  readonly micros: Micros;
}

export type CeilingKind = 'month' | 'agent' | 'ticket';

export type ReserveAnswer =
  | { readonly granted: true }
  /** `reason` is a sentence for people: which ceiling, what is spent, what was asked for. */
  | { readonly granted: false; readonly ceiling: CeilingKind; readonly reason: string };

/**
 * What became of a reserved call. `used`: the API told its usage. `released`: it was refused or never reached the API,
 * so nothing is owed. `unknown`: it may have been paid for (a time-out, a cut answer) and counts at its worst case.
 */
export interface Settlement {
  readonly id: string;
  readonly outcome:
    | { readonly kind: 'used'; readonly micros: Micros }
    | { readonly kind: 'released'; readonly why: string }
    | { readonly kind: 'unknown'; readonly why: string };
}

/**
 * The right to make paid calls, asked of the budget. Both are carried out once however often they are sent: a repeated
 * request gets the first answer. Throws `MEDIC_BUDGET_UNREACHABLE` when the budget does not answer; then nothing may be
 * spent.
 */
export interface BudgetPort {
  reserve(request: Reservation): Promise<ReserveAnswer>;
  settle(settlement: Settlement): Promise<void>;
}

/** Names are kept in the ledger, whose size is bounded; a model's is not kept. */
const ID = /^[\w.-]{1,64}$/;
const TICKET = /^(?=.{1,40}$)[a-z][a-z0-9-]*\/[1-9][0-9]*$/;
export const AGENT_NAME = /^(?=.{1,40}$)[a-z][a-z0-9-]*$/;
const MODEL = /^[\w.:@/-]{1,100}$/;
/** A million dollars: more is a mistake of the caller. */
const MOST_MICROS = 1e12;

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with the form of a reservation, as a sentence; `null` when nothing is. */
export function faultOfReservation(given: unknown): string | null {
  if (!isFields(given)) return 'a reservation is a mapping';
  if (!matches(given.id, ID)) return '`id` is 1 to 64 letters, digits, `.`, `_` and `-`';
  if (!matches(given.ticket, TICKET)) return '`ticket` is a ticket id of at most 40 characters';
  if (!matches(given.agent, AGENT_NAME)) return '`agent` is the name of an agent, at most 40 characters';
  if (!matches(given.model, MODEL)) return '`model` is the name of a model, at most 100 characters';
  return isMoney(given.micros) ? null : '`micros` is a whole number of millionths of a dollar, from 0';
}

/** What is wrong with the form of a settlement, as a sentence; `null` when nothing is. */
export function faultOfSettlement(given: unknown): string | null {
  if (!isFields(given)) return 'a settlement is a mapping';
  if (!matches(given.id, ID)) return '`id` is 1 to 64 letters, digits, `.`, `_` and `-`';
  const { outcome } = given;
  if (!isFields(outcome)) return '`outcome` is a mapping';
  switch (outcome.kind) {
    case 'used':
      return isMoney(outcome.micros) ? null : '`micros` is a whole number of millionths of a dollar, from 0';
    case 'released':
    case 'unknown':
      return typeof outcome.why === 'string' ? null : '`why` is a text';
    default:
      return '`outcome.kind` is `used`, `released` or `unknown`';
  }
}

export const isFields = (given: unknown): given is Fields =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

const matches = (given: unknown, form: RegExp): boolean => typeof given === 'string' && form.test(given);

const isMoney = (given: unknown): boolean =>
  Number.isInteger(given) && Number(given) >= 0 && Number(given) <= MOST_MICROS;
