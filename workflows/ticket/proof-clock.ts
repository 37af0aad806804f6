import { patched } from '@temporalio/workflow';
import { between } from '../../src/domain/ids.js';
import type { TicketRun } from './run.js';

/** What counts against the deadline of a proof. */
export interface ProofClock {
  /** ms */
  elapsedMs(): number;
  /** Counts the time that `work` takes, but no more than it can take while all of Medic is up. */
  counting<T>(mostMs: number, work: () => Promise<T>): Promise<T>;
}

/**
 * Only time in which samples could be taken counts. While no worker or no server ran, or the machine slept, nobody looked,
 * and that must not leave a repair unproven.
 */
export const proofClock = (run: TicketRun): ProofClock =>
  patched('proof-waits-out-an-outage') ? ownClock(run) : wallClock(run);

function ownClock(run: TicketRun): ProofClock {
  let countedMs = 0;
  return {
    elapsedMs: () => countedMs,
    async counting(mostMs, work) {
      const began = run.now();
      const result = await work();
      countedMs += Math.min(mostMs, between(began, run.now()));
      return result;
    },
  };
}

/** Of tickets that an older version began to prove. */
function wallClock(run: TicketRun): ProofClock {
  const started = run.ticket.lastActAt ?? run.now();
  return { elapsedMs: () => between(started, run.now()), counting: (_mostMs, work) => work() };
}
