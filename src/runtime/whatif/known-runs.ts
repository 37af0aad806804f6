import { parseTicketId, type TicketId, ticketId, ticketWorkflowId } from '../../domain/ids.js';
import type { Archive } from '../../evidence/archive.js';
import { actsIn, type Recording, readRecording } from './recording.js';
import type { KnownRuns } from './rejudge.js';

export interface KnownRunsOptions {
  /** `null`: what is archived here is of another instance. */
  readonly archive: Archive | null;
  /** Recordings that need not be archived. */
  readonly own: readonly Recording[];
}

/** What ran over all tickets whose record is here; asked for one ticket, also which older ones are not. */
export async function knownRuns({ archive, own }: KnownRunsOptions): Promise<(of: TicketId) => KnownRuns> {
  const known = new Map<TicketId, Recording>(own.map((recording) => [recording.input.filing.id, recording]));
  for (const { ticket } of (await archive?.list()) ?? []) {
    const history = known.has(ticket.id) ? null : (await archive?.load(ticket.id))?.history;
    if (history)
      known.set(ticket.id, readRecording({ history, workflowId: ticketWorkflowId(ticket.id), source: ticket.id }));
  }
  const acts = [...known.values()].flatMap(actsIn);
  return (of) => ({ acts, missing: olderThan(of).filter((id) => !known.has(id)) });
}

/** Tickets of a subject are numbered without gaps. */
function olderThan(id: TicketId): TicketId[] {
  const { subject, number } = parseTicketId(id) ?? { subject: '', number: 1 };
  return Array.from({ length: number - 1 }, (_, i) => ticketId(subject, i + 1));
}
