import { tell } from '../domain/story.js';
import type { TrailEvent } from '../domain/trail.js';
import type { WhatIf } from '../runtime/whatif/what-if.js';
import { beginning, printLine, printParagraph } from './paragraph.js';
import type { Screen } from './screen.js';
import { printStory } from './story-printer.js';
import { wrap } from './wrap.js';

export interface WhatIfView extends WhatIf {
  /** Where the record lies. */
  readonly source: string;
  /** The turn from which it runs on. */
  readonly at: number;
}

/** Below this two columns say too little in a line. */
const LEAST_COLUMNS = 100;
const GAP = ' | ';

/**
 * What both tell, where they part, and from there on the record beside what would have been: in two columns on a terminal
 * that is wide enough, else one after the other, each line with whose it is.
 */
export function printWhatIf(screen: Screen, view: WhatIfView): void {
  const { common, recorded, now, divergence, notes, usd } = view;
  printStory(common, screen, { depth: 'brief' });
  if (divergence) {
    printLine(screen, `parts in turn ${divergence.turn}: ${divergence.what}`, screen.paint.bold);
    printLine(screen, `  recorded  ${divergence.recorded}`);
    printLine(screen, `  what if   ${divergence.now}`);
  }
  if (recorded.length + now.length > 0) printBoth(screen, { recorded, now });
  printLine(screen, endWords(view));
  for (const note of notes) screen.err(`note: ${note}`);
  if (usd > 0) screen.err(`thought again for ${usd.toFixed(4)} $`);
  screen.err(`${view.source} from turn ${view.at}: ${wayWords(view)}; nothing was asked of it, and nothing was run`);
}

function wayWords({ divergence, end, now }: WhatIf): string {
  if (divergence) return 'goes another way';
  if (end === 'stopped') return 'went the way that was recorded up to there';
  return now.length > 0 ? 'goes the same way, in other words' : 'goes the way that was recorded';
}

function endWords({ stopped, now, common }: WhatIf): string {
  if (stopped) return `stops here: ${stopped}`;
  const closed = [...common, ...now].findLast((event) => event.type === 'closed');
  return closed?.type === 'closed' ? `ends ${closed.phase}` : 'ends';
}

function printBoth(screen: Screen, { recorded, now }: Pick<WhatIf, 'recorded' | 'now'>): void {
  if (screen.isTty && screen.columns >= LEAST_COLUMNS) return printColumns(screen, { recorded, now });
  for (const [whose, events] of [['recorded', recorded] as const, ['what if', now] as const]) {
    if (screen.isTty) screen.out(screen.paint.bold(whose.toUpperCase()));
    for (const event of events.filter(isTold)) {
      const { tag, lines } = tell(event);
      const marked = screen.isTty ? lines : lines.map((line) => `${whose}: ${line}`);
      printParagraph(screen, { tag, lines: marked, at: event.at });
    }
  }
}

function printColumns(screen: Screen, { recorded, now }: Pick<WhatIf, 'recorded' | 'now'>): void {
  const width = Math.floor((screen.columns - GAP.length) / 2);
  const left = ['RECORDED', ...linesOf(recorded, width)];
  const right = ['WHAT IF', ...linesOf(now, width)];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const line = `${(left[i] ?? '').padEnd(width)}${GAP}${right[i] ?? ''}`.trimEnd();
    screen.out(i === 0 ? screen.paint.bold(line) : line);
  }
}

const MARGIN = beginning('').length;

const linesOf = (events: readonly TrailEvent[], width: number): string[] =>
  events.filter(isTold).flatMap((event) => {
    const { tag, lines } = tell(event);
    const wrapped = lines.flatMap((line) => wrap(line, { first: width - MARGIN }));
    // A word that is wider than its column would push the other one away.
    return wrapped.map((line, i) => (beginning(i === 0 ? tag : '') + line).slice(0, width));
  });

/** The proof says what its samples said. */
const isTold = (event: TrailEvent): boolean => event.type !== 'sampled';
