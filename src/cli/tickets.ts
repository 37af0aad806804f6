import type { TicketStatus } from '../../workflows/contract.js';
import { isClosed, type Phase } from '../domain/phases.js';
import { readDesks } from '../runtime/desk-states.js';
import { age } from './age.js';
import { EXIT } from './exit-codes.js';
import { deskRemarks } from './maintenance.js';
import { printJson, type Screen } from './screen.js';
import { onlyArchive, withSession } from './session.js';
import { printTable } from './table.js';
import { typedCommand } from './typed-command.js';

export interface TicketsOptions {
  readonly home: string;
  readonly json?: boolean;
  readonly all?: boolean;
}

/** `medic tickets`: one row for each open ticket; `--all` shows the closed ones too. */
export const listTickets = (options: TicketsOptions, screen: Screen): Promise<number> =>
  withSession({ home: options.home, screen }, async ({ book, client, why, isSilent }) => {
    const known = await book.list();
    const shown = options.all ? known : known.filter((t) => !isClosed(t.phase as Phase));
    if (options.json) printJson(screen, 'tickets', shown);
    else if (shown.length > 0) printTable(screen, ticketTable(shown, Date.now()));
    if (shown.length === 0) screen.err(emptyWords(known.length, options.home));
    if (why !== null && !isSilent) screen.err(onlyArchive({ why }));
    const desks = client ? await readDesks(client).catch(() => []) : [];
    for (const line of deskRemarks(desks, options.home)) screen.err(line);
    return EXIT.ok;
  });

const emptyWords = (hidden: number, home: string): string =>
  hidden > 0 ? `no open ticket; ${hidden} closed: ${typedCommand('tickets --all', home)}` : 'no ticket yet';

/** The table of `medic tickets` at a time in ms. */
export const ticketTable = (tickets: readonly TicketStatus[], now: number) => ({
  heads: ['TICKET', 'PHASE', 'SYMPTOM', 'CAUSE (BELIEF)', 'AGE', 'WAITS FOR'],
  rows: tickets.map((t) => [
    t.ticket,
    t.phase,
    t.symptom,
    t.belief ? `${t.belief.cause} (${t.belief.confidence.toFixed(2)})` : '-',
    age(now - Date.parse(t.openedAt)),
    waitsFor(t, now),
  ]),
  cut: ['SYMPTOM', 'CAUSE (BELIEF)'],
});

/** `you, 29 m left` while a proposal waits for an answer; else as the ticket says. */
export function waitsFor({ pending, waitsFor: words }: TicketStatus, now: number): string {
  return pending?.expiresAt ? `you, ${age(Date.parse(pending.expiresAt) - now)} left` : words;
}
