import type { Client } from '@temporalio/client';
import { deskId, QUERIES } from '../../workflows/contract.js';
import type { DeskState } from '../domain/desk.js';
import { allSettled } from './all-settled.js';

/** A desk and what it remembers. */
export interface NamedDesk {
  readonly subject: string;
  readonly desk: DeskState;
}

const QUERY_MS = 8_000;

/** All desks that run, by their subjects. Throws what the client throws when nothing answers. */
export async function readDesks(client: Client): Promise<readonly NamedDesk[]> {
  const subjects: string[] = [];
  for await (const { workflowId } of client.workflow.list({
    query: 'WorkflowType = "desk" AND ExecutionStatus = "Running"',
  }))
    subjects.push(workflowId.replace(/^desk\//, ''));
  return allSettled(subjects.sort().map(async (subject) => ({ subject, desk: await readDesk(client, subject) })));
}

const readDesk = (client: Client, subject: string): Promise<DeskState> =>
  client.withDeadline(Date.now() + QUERY_MS, () =>
    client.workflow.getHandle(deskId(subject)).query<DeskState>(QUERIES.desk),
  );
