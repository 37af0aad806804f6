import { targetOf } from '../../src/domain/ticket.js';
import { deskwork } from '../activity-options.js';
import { deskId, MESSAGES, type TicketClosed, type TicketResult } from '../contract.js';
import { signalWorkflow } from '../signal-workflow.js';
import { archive } from './archive.js';
import type { TicketRun } from './run.js';

/** Closes the books: report, archive, notice, and the desk is told. */
export async function finish(run: TicketRun): Promise<TicketResult> {
  const { ticket } = run;
  const wish = run.wish;
  run.happen({ type: 'closed', phase: ticket.phase, by: wish?.by ?? 'medic', note: wish?.reason ?? '' });
  run.show(`closed: ${ticket.phase}`);
  const closed: TicketClosed = {
    ticket: ticket.id,
    phase: ticket.phase,
    at: run.now(),
    fingerprints: [...ticket.violations, ...ticket.cleared.map((c) => c.violation)].map((v) => v.fingerprint),
    target: targetOf(ticket),
  };
  await signalWorkflow(deskId(ticket.subject), MESSAGES.closed, closed);
  const report = await archive(run);
  run.happen({ type: 'archived', report });
  await deskwork.notify.executeWithOptions({ summary: `closed: ${ticket.phase}` }, [
    { ticket: ticket.id, kind: 'closed', text: ticket.phase, severity: ticket.severity },
  ]);
  return { ticket: ticket.id, phase: ticket.phase, proof: run.ticket.proof, report };
}
