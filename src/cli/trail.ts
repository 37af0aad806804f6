import type { TicketId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import type { TicketBook } from '../runtime/ticket-book.js';
import { EXIT } from './exit-codes.js';
import { printJson, type Screen } from './screen.js';
import { openSession } from './session.js';
import { createStoryPrinter } from './story-printer.js';

export interface TrailOptions {
  readonly home: string;
  readonly json?: boolean;
}

/** `medic trail T`: everything that happened, so far or for good. */
export async function printTrail(text: string, options: TrailOptions, screen: Screen): Promise<number> {
  const session = await openSession(options.home);
  try {
    const events = await session.book.trail(await session.book.resolve(text));
    const printer = createStoryPrinter(screen);
    if (options.json) printJson(screen, 'trail', events);
    else for (const event of events) printer.print(event);
    return EXIT.ok;
  } finally {
    await session.close();
  }
}

/** `medic watch T`: the same, live until the ticket is closed. Ctrl-C only stops watching. */
export async function watchTicket(text: string, options: { readonly home: string }, screen: Screen): Promise<number> {
  const session = await openSession(options.home);
  try {
    const phase = await follow(session.book, await session.book.resolve(text), screen);
    return phase === 'resolved' || phase === 'self-cleared' || phase === 'no-fault' ? EXIT.ok : EXIT.notRemediated;
  } finally {
    await session.close();
  }
}

const POLL_MS = 250;

/** Prints events as they come; returns the phase in which it was closed. An outage of the server is waited out. */
export async function follow(
  book: TicketBook,
  id: TicketId,
  screen: Screen,
  { until = () => false, start }: { until?: (phase: Phase) => boolean; start?: string } = {},
): Promise<Phase> {
  const printer = createStoryPrinter(screen, start === undefined ? {} : { start });
  let seen = 0;
  for (;;) {
    const events = await book.trail(id, seen).catch(() => []);
    for (const event of events) {
      seen = event.seq;
      printer.print(event);
      if (event.type === 'closed') return event.phase;
      if (event.type === 'moved' && (isClosed(event.to) ? false : until(event.to))) return event.to;
    }
    await new Promise((later) => setTimeout(later, POLL_MS));
  }
}
