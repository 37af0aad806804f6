import type { Screen } from './screen.js';
import { wrap } from './wrap.js';

/** Rows under upper-case heads. */
export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Name of the column that is cut with `…` when the terminal is too narrow; the last one is wrapped instead. */
  readonly cut?: string;
}

const GAP = '  ';
const LEAST = 12;

/** In columns on a terminal, as headerless tab-separated values in a pipe (as kubectl and gh do). */
export function printTable(screen: Screen, table: Table): void {
  if (screen.isTty) for (const line of layOut(table, screen)) screen.out(line);
  else for (const row of table.rows) screen.out(row.map((cell) => cell.replaceAll(/[\t\n]/g, ' ')).join('\t'));
}

function layOut({ heads, rows, cut }: Table, { columns, paint }: Screen): string[] {
  const natural = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const widths = cut === undefined ? natural : narrowed(natural, { at: heads.indexOf(cut), columns });
  const [head = '', ...body] = [heads, ...rows].flatMap((cells) => layOutRow(cells, { widths, columns }));
  return [paint.bold(head), ...body];
}

function narrowed(widths: readonly number[], { at, columns }: { at: number; columns: number }): number[] {
  const total = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const excess = Math.max(0, total - columns);
  return widths.map((width, i) => (i === at ? Math.max(LEAST, width - excess) : width));
}

function layOutRow(
  cells: readonly string[],
  { widths, columns }: { widths: readonly number[]; columns: number },
): string[] {
  const left = cells
    .slice(0, -1)
    .map((cell, i) => fitted(cell, widths[i] ?? 0) + GAP)
    .join('');
  const [first = '', ...rest] = wrap(cells.at(-1) ?? '', { first: columns - left.length });
  return [(left + first).trimEnd(), ...rest.map((line) => ' '.repeat(left.length) + line)];
}

const fitted = (cell: string, width: number): string =>
  cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width);
