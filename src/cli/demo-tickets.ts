import type { Client } from '@temporalio/client';
import { deskId, QUERIES } from '../../workflows/contract.js';
import type { DeskState } from '../domain/desk.js';
import { parseTicketId, type TicketId, ticketId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import type { TicketBook } from '../runtime/ticket-book.js';
import type { Screen } from './screen.js';
import { follow } from './trail.js';

export interface Followed {
  readonly ticket: TicketId;
  readonly phase: Phase;
}

export interface Following {
  readonly client: Client;
  readonly book: TicketBook;
  readonly screen: Screen;
  /** What times are counted from. */
  readonly start: string;
}

/**
 * Follows the first ticket to its end. One fault may open several, of which one repairs it while the others clear by
 * themselves: as long as none has acted or found its person, the next one is followed, too.
 */
export async function followTickets(first: TicketId, { client, book, screen, start }: Following): Promise<Followed> {
  let followed: Followed = { ticket: first, phase: 'filed' };
  for (let ticket: TicketId | null = first; ticket; ticket = await nextTicket(client, ticket)) {
    const phase = await follow(book, ticket, screen, { until: (at) => waitsForSomebody(at, screen), start });
    const hasActed = (await book.status(ticket)).spent.acts > 0;
    if (ticket === first || hasActed || !isClosed(phase)) followed = { ticket, phase };
    if (hasActed || !isClosed(phase)) break;
  }
  return followed;
}

/** Without a terminal nobody is there to answer, so a demo that waits for a person is over. */
const waitsForSomebody = (phase: Phase, { isTty }: Screen): boolean =>
  phase === 'escalated' || (phase === 'awaiting-approval' && !isTty);

async function nextTicket(client: Client, after: TicketId): Promise<TicketId | null> {
  const { nextNumber } = await client.workflow.getHandle(deskId('tikv')).query<DeskState>(QUERIES.desk);
  const number = (parseTicketId(after)?.number ?? nextNumber) + 1;
  return number < nextNumber ? ticketId('tikv', number) : null;
}
