import { workflowInfo } from '@temporalio/workflow';
import type { Ticket } from '../../src/domain/ticket.js';
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

function waitsFor(ticket: Ticket): string {
  switch (ticket.phase) {
    case 'awaiting-approval':
      return `you, until ${ticket.pending?.expiresAt ?? 'answered'}`;
    case 'escalated':
      return ticket.taken ? `${ticket.taken.by}, who took it` : 'a person';
    case 'verifying':
      return 'the proof';
    case 'remediating':
    case 'undoing':
      return 'a command';
    case 'filed':
    case 'investigating':
    case 'proposing':
      return 'the reasoner';
    case 'resolved':
    case 'no-fault':
    case 'self-cleared':
    case 'aborted':
    case 'closed-by-person':
    case 'duplicate':
      return '-';
  }
}
