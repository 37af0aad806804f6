import type { TrailEvent } from '../domain/trail.js';
import { quietRuntime, replay } from '../runtime/replay.js';
import { EXIT } from './exit-codes.js';
import { placeOf, recordOf } from './record.js';
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
  const recorded = await withSession(placeOf(what, options, screen), (session) =>
    recordOf(what, session, options.home),
  );
  const runtime = quietRuntime();
  const printer = createStoryPrinter(screen, { depth: 'brief' });
  const events: TrailEvent[] = [];
  const { until = Number.POSITIVE_INFINITY } = options;
  let isOver = false;
  try {
    await replay({
      ...recorded,
      text: recorded.history,
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
