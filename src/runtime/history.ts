import { createRequire } from 'node:module';
import type { Client } from '@temporalio/client';
import type proto from '@temporalio/proto';
import { MedicError } from '../domain/errors.js';

export type History = proto.temporal.api.history.v1.IHistory;

// The SDK exports these two only from a CommonJS file (temporal.md 3).
const { historyToJSON, historyFromJSON } = createRequire(import.meta.url)('@temporalio/common/lib/proto-utils') as {
  historyToJSON(history: History): string;
  historyFromJSON(history: unknown): History;
};

/** The history so far as JSON text that replays; not the same as `JSON.stringify`, which does not. */
export async function fetchHistoryText(client: Client, workflowId: string, runId?: string): Promise<string> {
  return historyToJSON(await client.workflow.getHandle(workflowId, runId).fetchHistory());
}

/** Reads a JSON history of `fetchHistoryText`, of the Temporal CLI or of its UI. Throws `MEDIC_HISTORY_UNREADABLE`. */
export function parseHistory(text: string, source: string): History {
  try {
    const history = historyFromJSON(JSON.parse(text));
    if ((history.events ?? []).length > 0) return history;
  } catch (error) {
    // The parser quotes the file, line breaks and all.
    const why = error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message;
    throw new MedicError('MEDIC_HISTORY_UNREADABLE', `${source}: ${why}`);
  }
  throw new MedicError('MEDIC_HISTORY_UNREADABLE', `${source}: it has no events`);
}
