import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BudgetNotice } from '../src/domain/budget-notice.js';
import { faultOfCeilings } from '../src/domain/ceilings.js';
import { type Instant, instant } from '../src/domain/ids.js';
import { expire, nextExpiry, reserve as reserveIn, settle as settleIn } from '../src/domain/ledger.js';
import { type Changed, EMPTY_LEDGER, type Ledger } from '../src/domain/ledger-state.js';
import type { ReserveAnswer, Settlement } from '../src/domain/reservation.js';
import { faultOfReservation, faultOfSettlement, isFields } from '../src/domain/reservation.js';
import { telling } from './activity-options.js';
import { describeBudget } from './budget-details.js';
import { type BudgetInput, MESSAGES, QUERIES, type ReserveRequest } from './contract.js';

const reserve = defineUpdate<ReserveAnswer, [ReserveRequest]>(MESSAGES.reserve);
const settle = defineUpdate<void, [Settlement]>(MESSAGES.settle);
const ledgerQuery = defineQuery<Ledger>(QUERIES.ledger);

/** Notices that wait to be told; with more, the oldest are dropped, as carried state is bounded. */
const MOST_UNTOLD = 16;
const RETELL_MS = 60_000;

const now = (): Instant => instant(Date.now());

/**
 * The money of one instance. Single-threaded, so the only place that decides on it: reservations of all workers come
 * here one after the other. Updates decide at once; the loop tells people, lets calls expire that nobody settles, and
 * begins a new history when this one is long. No prompt and no answer of a model ever comes here.
 */
export async function budget(input: BudgetInput): Promise<void> {
  let ledger = input.carried?.ledger ?? EMPTY_LEDGER;
  let untold = input.carried?.untold ?? [];
  const apply = (changed: Changed) => {
    ledger = changed.ledger;
    untold = [...untold, ...changed.notices].slice(-MOST_UNTOLD);
    setCurrentDetails(describeBudget(ledger, now()));
  };

  setHandler(
    reserve,
    ({ reservation, ceilings }) => {
      const { answer, ...changed } = reserveIn(ledger, reservation, ceilings, now());
      apply(changed);
      return answer;
    },
    { validator: checkReserve, description: 'Asks for the right to make one paid call, at its worst case.' },
  );
  setHandler(settle, (settlement) => apply(settleIn(ledger, settlement, now())), {
    validator: checkSettle,
    description: 'Says what became of a reserved call.',
  });
  setHandler(ledgerQuery, () => ledger, { description: 'Accounts, open reservations, and the ceilings last used.' });

  setCurrentDetails(describeBudget(ledger, now()));
  while (!workflowInfo().continueAsNewSuggested) {
    await nextEvent({ ledger: () => ledger, untold: () => untold });
    apply(expire(ledger, now()));
    const [notice] = untold;
    if (!notice) continue;
    if (await tell(notice)) untold = untold.filter((other) => other !== notice);
    else await condition(() => workflowInfo().continueAsNewSuggested, RETELL_MS, { summary: 'telling again' });
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof budget>({ carried: { v: 1, ledger, untold } });
}

/** Returns when somebody is to be told, a call may have expired, or the history is long. */
async function nextEvent({ ledger, untold }: { ledger: () => Ledger; untold: () => readonly BudgetNotice[] }) {
  const isUp = () => untold().length > 0 || workflowInfo().continueAsNewSuggested;
  const expiry = nextExpiry(ledger());
  if (expiry === null) return condition(() => isUp() || nextExpiry(ledger()) !== null);
  // One timer for all that is open: calls that are reserved later expire later.
  const waitMs = Math.max(1, Date.parse(expiry) - Date.now());
  return condition(isUp, waitMs, { summary: 'until the oldest reservation expires' });
}

/** @returns whether it was told; a worker that cannot tell it must not hold up the money */
async function tell(notice: BudgetNotice): Promise<boolean> {
  try {
    await telling.tellBudget.executeWithOptions({ summary: `tell: ${notice.kind}` }, [notice]);
    return true;
  } catch (error) {
    if (error instanceof ActivityFailure) return false;
    throw error;
  }
}

function checkReserve(given: ReserveRequest): void {
  if (!isFields(given)) throw misshapen('a request is `{reservation, ceilings}`');
  const fault = faultOfReservation(given.reservation) ?? faultOfCeilings(given.ceilings);
  if (fault !== null) throw misshapen(fault);
}

function checkSettle(given: Settlement): void {
  const fault = faultOfSettlement(given);
  if (fault !== null) throw misshapen(fault);
}

const misshapen = (words: string) => ApplicationFailure.nonRetryable(words, 'MEDIC_BUDGET_SHAPE');
