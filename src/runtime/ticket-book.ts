import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { QUERIES, type TicketStatus } from '../../workflows/contract.js';
import { MedicError } from '../domain/errors.js';
import type { Hypothesis } from '../domain/hypothesis.js';
import { parseTicketId, type TicketId, ticketId, ticketWorkflowId } from '../domain/ids.js';
import type { TrailEvent } from '../domain/trail.js';
import type { Archive, ArchivedTicket } from '../evidence/archive.js';
import { allSettled } from './all-settled.js';
import { archivedStatus } from './archived-status.js';
import { openRunOf } from './open-run.js';

export interface TicketBookOptions {
  /** `null`: Temporal cannot be reached or no instance runs; only the archive is read. */
  readonly client: Client | null;
  readonly archive: Archive;
}

/** Reads tickets wherever they are: open ones by query, closed ones from the archive, which needs no worker. */
export interface TicketBook {
  /** `tikv/42`, or `42` when all known tickets are of one subject. Throws `MEDIC_TICKET_UNKNOWN`. */
  resolve(text: string): Promise<TicketId>;
  list(): Promise<TicketStatus[]>;
  status(id: TicketId): Promise<TicketStatus>;
  board(id: TicketId): Promise<readonly Hypothesis[]>;
  /** Events after a sequence number. */
  trail(id: TicketId, after?: number): Promise<readonly TrailEvent[]>;
  archived(id: TicketId): Promise<ArchivedTicket | null>;
}

/** A query needs a worker; without one it fails only after half a minute. */
const QUERY_MS = 8_000;

export function createTicketBook({ client, archive }: TicketBookOptions): TicketBook {
  async function ask<T>(
    id: TicketId,
    query: string,
    args: readonly unknown[],
    fallback: (a: ArchivedTicket) => T,
  ): Promise<T> {
    const archived = await archive.load(id);
    // One that was archived may be open again, after a reset.
    if (archived && !(client && (await openRunOf(client, id)))) return fallback(archived);
    const live = client && (await queryLive<T>(client, id, query, args));
    if (live) return live.value;
    if (archived) return fallback(archived);
    throw new MedicError('MEDIC_TICKET_UNKNOWN', `there is no ticket ${id}`);
  }

  const book: TicketBook = {
    async resolve(text) {
      if (parseTicketId(text)) return text as TicketId;
      if (!/^[1-9][0-9]*$/.test(text)) throw new MedicError('MEDIC_TICKET_UNKNOWN', `\`${text}\` is no ticket id`);
      const subjects = new Set((await book.list()).map((status) => status.subject));
      const [only] = subjects;
      if (only && subjects.size === 1) return ticketId(only, Number(text));
      throw new MedicError(
        'MEDIC_TICKET_UNKNOWN',
        `\`${text}\` needs its subject: ${[...subjects].join(', ') || 'no ticket is known'}`,
      );
    },
    async list() {
      const archived = new Map((await archive.list()).map((a) => [a.ticket.id, archivedStatus(a)]));
      const listed = client ? await listedTickets(client) : new Map<TicketId, boolean>();
      const asked = [...listed].flatMap(([id, isOpen]) => (isOpen || !archived.has(id) ? [id] : []));
      const live = await allSettled(asked.map((id) => book.status(id).catch(nullIfUnknown)));
      for (const status of live) if (status) archived.set(status.ticket, status);
      return [...archived.values()].sort((a, b) => a.openedAt.localeCompare(b.openedAt));
    },
    status: (id) => ask(id, QUERIES.status, [], archivedStatus),
    board: (id) => ask(id, QUERIES.board, [], (archived) => archived.ticket.board),
    trail: (id, after = 0) =>
      ask(id, QUERIES.trail, [after], (archived) => archived.trail.filter((e) => e.seq > after)),
    archived: (id) => archive.load(id),
  };
  return book;
}

/** A ticket may end between two questions; one that does not answer must not be missing from a list. */
function nullIfUnknown(error: unknown): null {
  if (error instanceof MedicError && error.code === 'MEDIC_TICKET_UNKNOWN') return null;
  throw error;
}

async function queryLive<T>(
  client: Client,
  id: TicketId,
  query: string,
  args: readonly unknown[],
): Promise<{ value: T } | null> {
  try {
    const handle = client.workflow.getHandle(ticketWorkflowId(id));
    return {
      value: await client.withDeadline(Date.now() + QUERY_MS, () => handle.query<T, unknown[]>(query, ...args)),
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Every ticket that the server still knows, and whether one of its runs is open. */
async function listedTickets(client: Client): Promise<Map<TicketId, boolean>> {
  const listed = new Map<TicketId, boolean>();
  for await (const { workflowId, status } of client.workflow.list({ query: 'WorkflowType = "ticket"' })) {
    const id = workflowId.replace(/^ticket\//, '') as TicketId;
    if (parseTicketId(id)) listed.set(id, listed.get(id) === true || status.name === 'RUNNING');
  }
  return listed;
}
