import type { Connection } from '@temporalio/client';
import { msNumberToTs } from '@temporalio/common/lib/time.js';

const DAY_MS = 86_400_000;

/** How long a namespace keeps the history of closed workflows. */
export interface Retention {
  readonly connection: Connection;
  readonly namespace: string;
  readonly days: number;
}

/**
 * Sets the retention of a namespace. The dev server makes its namespaces with one day and has no option for it; a reset of a
 * closed ticket needs the history.
 */
export async function setRetention({ connection, namespace, days }: Retention): Promise<void> {
  const config = { workflowExecutionRetentionTtl: msNumberToTs(days * DAY_MS) };
  await connection.workflowService.updateNamespace({ namespace, config });
}
