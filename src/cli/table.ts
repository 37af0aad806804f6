import type { Screen } from './screen.js';
import { NARROWEST, wrap } from './wrap.js';

/** Rows under upper-case heads. */
export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /**
   * Names of the columns that are cut with `…` when the terminal is too narrow, in this order; the last column is wrapped
   * instead.
   */
  readonly cut?: readonly string[];
}

const GAP = '  ';
const LEAST = 12;
/** Of a last column that is longer, so much is kept for it: as narrow as lines are wrapped. */
const LAST_LEAST = NARROWEST;

/** In columns on a terminal, as headerless tab-separated values in a pipe (as kubectl and gh do). */
export function printTable(screen: Screen, table: Table): void {
  if (screen.isTty) for (const line of layOut(table, screen)) screen.out(line);
  else for (const row of table.rows) screen.out(row.map((cell) => cell.replaceAll(/[\t\n]/g, ' ')).join('\t'));
}

function layOut({ heads, rows, cut = [] }: Table, { columns, paint }: Screen): string[] {
  const natural = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const widths = narrowed(natural, { cut: cut.map((head) => heads.indexOf(head)), columns });
  const [head = '', ...body] = [heads, ...rows].flatMap((cells) => layOutRow(cells, { widths, columns }));
  return [paint.bold(head), ...body];
}

function narrowed(
  natural: readonly number[],
  { cut, columns }: { readonly cut: readonly number[]; readonly columns: number },
): number[] {
  const widths = [...natural.slice(0, -1), Math.min(natural.at(-1) ?? 0, LAST_LEAST)];
  let excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - columns;
  for (const at of cut) {
    const width = widths[at] ?? 0;
    const left = excess > 0 ? Math.min(width, Math.max(LEAST, width - excess)) : width;
    widths[at] = left;
    excess -= width - left;
  }
  return widths;
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
