import type { TicketStatus } from '../../workflows/contract.js';
import { confidenceOf, leading } from '../domain/board.js';
import { causeName } from '../domain/cause.js';
import { isClosed } from '../domain/phases.js';
import { waitsFor } from '../domain/waits-for.js';
import type { ArchivedSummary } from '../evidence/archive.js';

/** The status of an archived ticket, from its last state there. */
export function archivedStatus({ ticket, closedAt }: Pick<ArchivedSummary, 'ticket' | 'closedAt'>): TicketStatus {
  const belief = leading(ticket.board);
  return {
    ticket: ticket.id,
    subject: ticket.subject,
    phase: ticket.phase,
    severity: ticket.severity,
    symptom: ticket.symptom,
    openedAt: ticket.openedAt,
    belief: belief && { cause: causeName(belief.cause), confidence: confidenceOf(belief) },
    waitsFor: isClosed(ticket.phase) ? '-' : `${waitsFor(ticket)}, as of ${closedAt}`,
    pending: null,
    taken: ticket.taken,
    violations: ticket.violations,
    spent: ticket.spent,
    proof: ticket.proof,
    brief: ticket.brief,
  };
}
