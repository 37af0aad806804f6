import { condition } from '@temporalio/workflow';
import type { Inbox } from './messages.js';
import type { TicketRun } from './run.js';
import { waitForPerson } from './wait-for-person.js';

/** Nothing is violated and nothing was done: it may be over by itself. */
export const nothingLeft = (run: TicketRun): boolean =>
  run.ticket.violations.length === 0 && run.ticket.firstActAt === null;

/**
 * A ticket whose violations all cleared before any act was started waits for the stability window; if they stay away
 * it closes by itself.
 *
 * @returns whether it closed
 */
export async function closedByItself(run: TicketRun, inbox: Inbox): Promise<boolean> {
  if (!nothingLeft(run)) return false;
  const disturbed = () => !nothingLeft(run) || run.wish !== null || inbox.hinted;
  run.show('nothing is violated any more; waiting for it to stay so');
  const back = await condition(disturbed, run.times.stabilityMs, { summary: 'does the clear hold?' });
  if (back) return false;
  run.move('selfCleared', `no violation for ${Math.round(run.times.stabilityMs / 1000)} s, and nothing was done`);
  return true;
}

/** Escalated: waits for a hint, a close or an abort, with reminders, as long as it takes. Holds no lease. */
export async function awaitPerson(run: TicketRun, inbox: Inbox, remind: () => Promise<void>): Promise<void> {
  const started = Date.now();
  await waitForPerson(run, {
    what: 'a person',
    expiresAt: null,
    woken: () => inbox.hinted || run.wish !== null || nothingLeft(run),
    remind,
    telling: { kind: 'escalated', text: run.ticket.brief ?? run.ticket.symptom },
  });
  run.change({ waitedMs: run.ticket.waitedMs + (Date.now() - started) });
  if (run.wish || (await closedByItself(run, inbox))) return;
  if (!inbox.hinted) return;
  inbox.hinted = false;
  run.change({ brief: null });
  run.move('hinted', `a hint: ${run.ticket.hints.at(-1)?.text ?? ''}`);
}
