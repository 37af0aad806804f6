import type { TicketStatus } from '../../workflows/contract.js';
import { confidenceOf, leading } from '../domain/board.js';
import { causeName } from '../domain/cause.js';
import type { Ticket } from '../domain/ticket.js';

/** The status of a closed ticket, from its last state. */
export function archivedStatus({ ticket }: { readonly ticket: Ticket }): TicketStatus {
  const belief = leading(ticket.board);
  return {
    ticket: ticket.id,
    subject: ticket.subject,
    phase: ticket.phase,
    severity: ticket.severity,
    symptom: ticket.symptom,
    openedAt: ticket.openedAt,
    belief: belief && { cause: causeName(belief.cause), confidence: confidenceOf(belief) },
    waitsFor: '-',
    pending: null,
    violations: ticket.violations,
    spent: ticket.spent,
    proof: ticket.proof,
    brief: ticket.brief,
  };
}
