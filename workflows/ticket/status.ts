import { workflowInfo } from '@temporalio/workflow';
import { waitsFor } from '../../src/domain/waits-for.js';
import type { TicketStatus } from '../contract.js';
import type { TicketRun } from './run.js';

/** One row of `medic tickets`, and the head of `medic show`. */
export function ticketStatus(run: TicketRun): TicketStatus {
  const { ticket } = run;
  return {
    ticket: ticket.id,
    subject: ticket.subject,
    phase: ticket.phase,
    severity: ticket.severity,
    symptom: ticket.symptom,
    openedAt: ticket.openedAt,
    belief: run.belief,
    waitsFor: waitsFor(ticket),
    pending: ticket.pending && {
      proposal: ticket.pending.proposal,
      ruling: ticket.pending.ruling,
      basis: ticket.pending.basis,
      basisHash: ticket.pending.basisHash,
      expiresAt: ticket.pending.expiresAt,
      // A ticket that an older version judged is bound to the run that answers here.
      run: ticket.pending.run ?? workflowInfo().runId,
      need: ticket.pending.need ?? null,
      approvals: ticket.pending.approvals ?? [],
      steps: ticket.pending.steps,
      margin: ticket.pending.margin,
      changes: ticket.pending.changes,
    },
    ahead: run.ahead,
    taken: ticket.taken,
    violations: ticket.violations,
    spent: ticket.spent,
    proof: ticket.proof,
    brief: ticket.brief,
  };
}
