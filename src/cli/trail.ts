import { MedicError } from '../domain/errors.js';
import type { TicketId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import type { TrailEvent } from '../domain/trail.js';
import type { TicketBook } from '../runtime/ticket-book.js';
import { EXIT } from './exit-codes.js';
import { printJson, type Screen } from './screen.js';
import { withSession } from './session.js';
import { createStoryPrinter, printStory } from './story-printer.js';

export interface TrailOptions {
  readonly home: string;
  readonly json?: boolean;
}

/** `medic trail T`: everything that happened, so far or for good, with all details. */
export const printTrail = (text: string, options: TrailOptions, screen: Screen): Promise<number> =>
  withSession({ home: options.home, screen }, async ({ book }) => {
    const events = await book.trail(await book.resolve(text));
    if (options.json) printJson(screen, 'trail', events);
    else printStory(events, screen, { depth: 'whole' });
    return EXIT.ok;
  });

const GOOD_ENDS: ReadonlySet<Phase> = new Set(['resolved', 'self-cleared', 'no-fault']);

/** `medic watch T`: its story, live until it is closed; ends with 6 unless it ended well. Ctrl-C only stops watching. */
export const watchTicket = (text: string, options: { readonly home: string }, screen: Screen): Promise<number> =>
  withSession({ home: options.home, screen }, async ({ book, client }) => {
    const id = await book.resolve(text);
    const { phase: now } = await book.status(id);
    // Of an archive nothing more is to come, also where the ticket was open.
    if (client === null) {
      printStory(await book.trail(id), screen, { depth: 'brief' });
      return endCode(now as Phase);
    }
    const onOutage = () => screen.err('nothing answers; watching on until it does (Ctrl-C stops watching)');
    return endCode(await follow(book, id, screen, { onOutage }));
  });

const endCode = (phase: Phase): number => (GOOD_ENDS.has(phase) ? EXIT.ok : EXIT.notRemediated);

const POLL_MS = 250;

export interface FollowOptions {
  /** Stops at this open phase too; a closed one always ends it. */
  readonly until?: (phase: Phase) => boolean;
  /** What times are counted from; default: the first event. */
  readonly start?: string;
  /** Called once for each outage of the server or of the worker. */
  readonly onOutage?: () => void;
}

/**
 * Prints events as they come; returns the phase in which it ended. An outage of the server or of the worker is waited
 * out, and so is a ticket that was only just announced.
 */
export async function follow(
  book: TicketBook,
  id: TicketId,
  screen: Screen,
  { until = () => false, start, onOutage = () => {} }: FollowOptions = {},
): Promise<Phase> {
  const printer = createStoryPrinter(screen, { depth: 'brief', start });
  let seen = 0;
  let isOut = false;
  for (;;) {
    const events = await newEvents(book, id, seen);
    if (events === null && !isOut) onOutage();
    isOut = events === null;
    for (const event of events ?? []) {
      seen = event.seq;
      printer.print(event);
      const phase = endOf(event, until);
      if (phase) return phase;
    }
    await new Promise((later) => setTimeout(later, POLL_MS));
  }
}

function endOf(event: TrailEvent, until: (phase: Phase) => boolean): Phase | null {
  if (event.type === 'closed') return event.phase;
  return event.type === 'moved' && !isClosed(event.to) && until(event.to) ? event.to : null;
}

/** `null`: nothing answered. */
async function newEvents(book: TicketBook, id: TicketId, after: number): Promise<readonly TrailEvent[] | null> {
  try {
    return await book.trail(id, after);
  } catch (error) {
    // A damaged archive does not heal by waiting.
    if (error instanceof MedicError && error.code === 'MEDIC_ARCHIVE_UNREADABLE') throw error;
    return null;
  }
}
