import type { TicketStatus } from '../../workflows/contract.js';
import { age, printJson, printTable, type Screen } from './screen.js';
import { openSession } from './session.js';

export interface TicketsOptions {
  readonly home: string;
  readonly json?: boolean;
  readonly all?: boolean;
}

const CLOSED = new Set(['resolved', 'no-fault', 'self-cleared', 'aborted', 'closed-by-person', 'duplicate']);

/** `medic tickets`: one row a ticket, the open ones first asked for; `--all` shows the closed ones too. */
export async function listTickets(options: TicketsOptions, screen: Screen): Promise<number> {
  const session = await openSession(options.home);
  try {
    const all = await session.book.list();
    const shown = options.all ? all : all.filter((t) => !CLOSED.has(t.phase));
    if (options.json) printJson(screen, 'tickets', shown);
    else if (shown.length > 0) printTable(screen, HEADS, shown.map(toRow));
    if (session.why) screen.err(`only the archive could be read: ${session.why}`);
    else if (shown.length === 0 && !options.json)
      screen.err(all.length > 0 ? `no open ticket; ${all.length} closed ones with --all` : 'no ticket yet');
    return 0;
  } finally {
    await session.close();
  }
}

const HEADS = ['TICKET', 'PHASE', 'CAUSE (BELIEF)', 'AGE', 'WAITS FOR', 'SYMPTOM'] as const;

const toRow = (t: TicketStatus): string[] => [
  t.ticket,
  t.phase,
  t.belief ? `${t.belief.cause} (${t.belief.confidence.toFixed(2)})` : '-',
  age(Date.now() - Date.parse(t.openedAt)),
  t.waitsFor,
  t.symptom,
];
