import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type TicketId, ticketWorkflowId } from '../domain/ids.js';

const DESCRIBE_MS = 8_000;

/** The run in which a ticket is open, also again after it had ended; `null`: the server knows of none. */
export async function openRunOf(client: Client, ticket: TicketId): Promise<string | null> {
  const handle = client.workflow.getHandle(ticketWorkflowId(ticket));
  try {
    const { status, runId } = await client.withDeadline(Date.now() + DESCRIBE_MS, () => handle.describe());
    return status.name === 'RUNNING' ? runId : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
