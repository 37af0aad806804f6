import type { Instant } from '../domain/ids.js';
import type { Screen } from './screen.js';
import { wrap } from './wrap.js';

/** A paragraph for the screen: a tag, and lines beside it. */
export interface ScreenParagraph {
  readonly tag: string;
  readonly lines: readonly string[];
  /** When it happened: begins each line in a pipe. */
  readonly at: Instant;
  /** Stands at the right end of the first line on a terminal: `t+3.2`, `9.1 s`. */
  readonly right?: string;
}

const TAG_WIDTH = 9;
/** The text begins here; one space after the tag. */
const MARGIN = ' '.repeat(TAG_WIDTH + 1);
const RIGHT_WIDTH = 8;
/** Longer lines are hard to follow, and what stands at the right end is lost. */
const WIDEST = 120;

/** On a terminal wrapped to its width; in a pipe whole lines, each with its ISO time, without anything at the right. */
export function printParagraph(screen: Screen, { tag, lines, at, right = '' }: ScreenParagraph): void {
  lines.forEach((line, i) => {
    const label = i === 0 ? tag : '';
    if (screen.isTty) printWrapped(screen, { label, line, right: i === 0 ? right : '' });
    else screen.out(`${at} ${beginning(label)}${line}`);
  });
}

function printWrapped(
  screen: Screen,
  { label, line, right }: { readonly label: string; readonly line: string; readonly right: string },
): void {
  const room = textWidth(screen);
  const firstRoom = right === '' ? room : room - RIGHT_WIDTH;
  const [first = '', ...rest] = wrap(line, { first: firstRoom, rest: room });
  screen.out(beginning(label) + ending(screen, { text: first, right, used: 0 }));
  for (const text of rest) screen.out(MARGIN + text);
}

/** A line without a tag: whole in a pipe, wrapped to the terminal's width on one. */
export function printLine(screen: Screen, line: string, paint: (text: string) => string = (text) => text): void {
  const lines = screen.isTty ? wrap(line, { first: Math.min(screen.columns, WIDEST) }) : [line];
  for (const text of lines) screen.out(paint(text));
}

/** Lines under a name at the left: whole in a pipe, wrapped beside it on a terminal. */
export function printSection(screen: Screen, name: string, lines: readonly string[]): void {
  lines
    .flatMap((line) => (screen.isTty ? wrap(line, { first: textWidth(screen) }) : [line]))
    .forEach((line, i) => {
      screen.out(beginning(i === 0 ? name : '') + line);
    });
}

/** Columns beside the tag. */
const textWidth = ({ columns }: Screen): number => Math.min(columns, WIDEST) - MARGIN.length;

/** What a line of a paragraph begins with. */
export const beginning = (tag: string): string => `${tag.padEnd(TAG_WIDTH)} `;

/** The text of a line up to its right end; `used` columns of it stand there already. */
export function ending(
  screen: Screen,
  { text, right, used }: { readonly text: string; readonly right: string; readonly used: number },
): string {
  if (right === '') return text;
  const room = textWidth(screen) - RIGHT_WIDTH - used;
  return `${text.padEnd(room)}${screen.paint.dim(right.padStart(RIGHT_WIDTH))}`;
}
