import { readFileSync, statSync } from 'node:fs';
import { MedicError } from '../domain/errors.js';
import { parseTicketId, ticketWorkflowId } from '../domain/ids.js';
import type { TrailEvent } from '../domain/trail.js';
import { fetchHistoryText, parseHistory } from '../runtime/history.js';
import { quietRuntime, replay } from '../runtime/replay.js';
import { EXIT } from './exit-codes.js';
import { printJson, type Screen } from './screen.js';
import { withSession } from './session.js';
import { createStoryPrinter } from './story-printer.js';

export interface ReplayVerbOptions {
  readonly home: string;
  readonly json?: boolean;
  /** Nothing after this turn is told. Default: all. */
  readonly until?: number;
}

/** `medic replay ID|FILE`: runs the workflow code on what was recorded and tells what it decided, turn by turn. */
export async function replayVerb(what: string, options: ReplayVerbOptions, screen: Screen): Promise<number> {
  const recorded = isFile(what) ? fromFile(what) : await fromHome(what, options.home);
  const runtime = quietRuntime();
  const printer = createStoryPrinter(screen, { depth: 'brief' });
  const events: TrailEvent[] = [];
  const { until = Number.POSITIVE_INFINITY } = options;
  let isOver = false;
  try {
    await replay({
      ...recorded,
      tell: (_ticket, event) => {
        if (event.type === 'turn' && event.turn > until) isOver = true;
        if (isOver) return;
        events.push(event);
        if (!options.json) printer.print(event);
      },
    });
  } finally {
    await runtime.shutdown();
  }
  if (options.json) printJson(screen, 'replay', events);
  else screen.err(`replayed ${recorded.source}: ${events.length} events, the code decides as it did`);
  return EXIT.ok;
}

interface Recorded {
  readonly text: string;
  readonly source: string;
  readonly workflowId: string;
}

function fromFile(path: string): Recorded {
  const text = readFileSync(path, 'utf8');
  const started = parseHistory(text, path).events?.[0]?.workflowExecutionStartedEventAttributes;
  return { text, source: path, workflowId: started?.workflowId || 'replayed' };
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const fromHome = (what: string, home: string): Promise<Recorded> =>
  withSession(home, async ({ book, client }) => {
    if (!isTicketText(what))
      throw new MedicError('MEDIC_HISTORY_UNREADABLE', `\`${what}\` is no file and no ticket id`);
    const ticket = await book.resolve(what);
    const workflowId = ticketWorkflowId(ticket);
    const archived = await book.archived(ticket);
    if (archived?.history) return { text: archived.history, source: `${ticket} (archive)`, workflowId };
    if (client) return { text: await fetchHistoryText(client, workflowId), source: ticket, workflowId };
    throw new MedicError('MEDIC_TICKET_UNKNOWN', `there is no recorded history of ${ticket}`);
  });

const isTicketText = (text: string): boolean => parseTicketId(text) !== null || /^[0-9]+$/.test(text);
