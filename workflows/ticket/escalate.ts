import { writeBrief } from '../../src/domain/report.js';
import { deskwork } from '../activity-options.js';
import type { TicketRun } from './run.js';

/** Hands the ticket to a person with everything needed to take over. It holds no lease while it waits. */
export async function escalate(run: TicketRun, reason: string): Promise<void> {
  const brief = writeBrief(run.ticket, reason);
  run.change({ brief });
  run.happen({ type: 'escalated', reason, brief });
  run.move('escalated', reason);
  await deskwork.notify.executeWithOptions({ summary: `tell a person: ${reason}` }, [
    { ticket: run.ticket.id, kind: 'escalated', text: brief, severity: run.ticket.severity },
  ]);
}
