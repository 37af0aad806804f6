import { sinceStart, tell } from '../domain/story.js';
import type { TrailEvent } from '../domain/trail.js';
import { dim, type Screen } from './screen.js';

/** Prints the story of one ticket, as the demo, `watch`, `trail` and `replay` do. */
export interface StoryPrinter {
  print(event: TrailEvent): void;
}

const TAG_WIDTH = 9;
const TIME_WIDTH = 9;

/**
 * One paragraph an event. On a terminal the time since the first event stands at the right end of its first line; in a
 * pipe each line begins with an ISO time. Proof samples that add nothing new are left out.
 */
export function createStoryPrinter(screen: Screen, { start }: { readonly start?: string } = {}): StoryPrinter {
  let began = start;
  let lastProof = '';
  return {
    print(event) {
      began ??= event.at;
      const paragraph = tell(event);
      if (!paragraph) return;
      if (event.type === 'sampled') {
        if (paragraph.lines.join() === lastProof) return;
        lastProof = paragraph.lines.join();
      }
      const time = sinceStart(event, began);
      paragraph.lines.forEach((line, i) => {
        const tag = i === 0 ? paragraph.tag : '';
        screen.out(
          screen.isTty
            ? onTerminal(line, { tag, time: i === 0 ? time : '', columns: screen.columns })
            : `${event.at} ${tag.padEnd(TAG_WIDTH)} ${line}`,
        );
      });
    },
  };
}

function onTerminal(line: string, { tag, time, columns }: { tag: string; time: string; columns: number }): string {
  const room = Math.max(20, columns - TAG_WIDTH - TIME_WIDTH - 1);
  const text = line.length > room ? `${line.slice(0, room - 1)}…` : line;
  return `${tag.padEnd(TAG_WIDTH)} ${text.padEnd(room)}${dim(time.padStart(TIME_WIDTH))}`.trimEnd();
}
