import { getExternalWorkflowHandle, log } from '@temporalio/workflow';

/** Signals another workflow. @returns whether it is there to hear it */
export async function signalWorkflow(workflowId: string, name: string, message: unknown): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(name, message);
    return true;
  } catch (error) {
    log.info('a workflow could not be signalled', { workflowId, name, error: String(error) });
    return false;
  }
}
