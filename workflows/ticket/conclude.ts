import { weighConclusion } from '../../src/domain/conclusion.js';
import type { NextStep } from '../../src/domain/next-step.js';
import { noteConclusion } from '../../src/domain/progress.js';
import { targetOf } from '../../src/domain/ticket.js';
import type { TicketRun } from './run.js';
import type { Seen } from './seen.js';

/** Ends a ticket without a repair, if code sees for itself what the reasoner claims; else the claim goes back in words. */
export function conclude(
  run: TicketRun,
  step: Extract<NextStep, { kind: 'conclude' }>,
  { picture, others }: Seen,
): void {
  const { ticket } = run;
  const { broken, unknown, expected } = picture;
  const weighed = weighConclusion(step, {
    ticket: ticket.id,
    target: targetOf(ticket),
    evidence: ticket.evidence,
    firstActAt: ticket.firstActAt,
    ...{ broken, unknown, expected, others },
  });
  if (!weighed.accepted) {
    run.sendBack('conclusion', weighed.reason);
    return run.account(noteConclusion(run.ticket.progress, step));
  }
  const why = `${step.why} (checked: ${weighed.because})`;
  run.happen({ type: 'concluded', conclusion: step.conclusion, why, evidence: [...new Set(step.evidence)] });
  run.move(step.conclusion === 'duplicate' ? 'duplicated' : 'noFault', `${step.conclusion}: ${why}`);
}
