import { getExternalWorkflowHandle, log } from '@temporalio/workflow';
import { type TicketId, ticketWorkflowId } from '../src/domain/ids.js';

/** Signals a ticket; one that has ended meanwhile is no error. */
export async function signalTicket(ticket: TicketId, name: string, message: unknown): Promise<void> {
  await signalWorkflow(ticketWorkflowId(ticket), name, message);
}

/** Signals another workflow, and only logs when it is gone. */
export async function signalWorkflow(workflowId: string, name: string, message: unknown): Promise<void> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(name, message);
  } catch (error) {
    log.info('a workflow could not be signalled', { workflowId, name, error: String(error) });
  }
}
