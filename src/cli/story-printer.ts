import { dots, sinceStart, tell } from '../domain/story.js';
import type { TrailEvent } from '../domain/trail.js';
import { beginning, ending, printParagraph } from './paragraph.js';
import type { Screen } from './screen.js';

/** Prints the story of one ticket, as the demo, `watch`, `trail` and `replay` do. */
export interface StoryPrinter {
  print(event: TrailEvent): void;
}

export interface StoryPrinterOptions {
  /** What times are counted from; default: the first event. */
  readonly start?: string;
  /** `brief`: what a person follows live. `whole`: with all details. */
  readonly depth: 'brief' | 'whole';
}

/**
 * One paragraph an event. A proof is one line of dots that grows with each good sample (in a pipe: one line at the first
 * good one and one at the end); a sample that says the same as the one before is left out.
 */
export function createStoryPrinter(screen: Screen, { start, depth }: StoryPrinterOptions): StoryPrinter {
  let began = start;
  let row = { inRow: -1, needed: 0 };

  function printTold(event: TrailEvent, right: string): void {
    const { tag, lines, details } = tell(event);
    printParagraph(screen, { tag, lines: depth === 'whole' ? [...lines, ...details] : lines, at: event.at, right });
  }

  function printSample(event: Extract<TrailEvent, { type: 'sampled' }>, right: string): void {
    const adds = event.inRow === 0 ? row.inRow !== 0 : event.inRow === 1;
    row = event;
    if (adds) return printTold(event, right);
    if (event.inRow > 1 && screen.isTty) screen.part(screen.isLineOpen ? '●' : growing(event.inRow));
  }

  function printProof(event: Extract<TrailEvent, { type: 'proof' }>, right: string): void {
    const { tag, lines } = tell(event);
    if (event.result !== 'healthy') return printParagraph(screen, { tag, lines, at: event.at, right });
    const text = ` ${lines.join(' ')}`;
    if (!screen.isLineOpen)
      return printParagraph(screen, { tag, lines: [dots(row.inRow, row.needed) + text], at: event.at, right });
    screen.part(ending(screen, { text, right, used: row.inRow }));
    screen.endLine();
  }

  return {
    print(event) {
      began ??= event.at;
      const right = screen.isTty ? sinceStart(event.at, began) : '';
      if (depth === 'brief' && event.type === 'sampled') return printSample(event, right);
      if (depth === 'brief' && event.type === 'proof') return printProof(event, right);
      // A good sample has said that everything holds; the patrol only confirms it.
      if (depth === 'brief' && event.type === 'cleared' && row.inRow > 0) return;
      printTold(event, right);
    },
  };
}

/** A story that is whole already. */
export function printStory(
  events: readonly TrailEvent[],
  screen: Screen,
  { depth }: Pick<StoryPrinterOptions, 'depth'>,
): void {
  const printer = createStoryPrinter(screen, { depth });
  for (const event of events) printer.print(event);
  screen.endLine();
}

const growing = (filled: number): string => beginning('proof') + dots(filled, filled);
