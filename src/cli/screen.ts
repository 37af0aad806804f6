import pc from 'picocolors';

/** Where a verb writes: data to stdout, everything else to stderr; injected, so that verbs are tested without a terminal. */
export interface Screen {
  out(line: string): void;
  err(line: string): void;
  /** A person looks at it: colours, redraw, relative times. */
  readonly isTty: boolean;
  readonly columns: number;
}

export const processScreen: Screen = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  get isTty() {
    return process.stdout.isTTY === true;
  },
  get columns() {
    return process.stdout.columns || 80;
  },
};

/** picocolors obeys NO_COLOR, pipes and TERM=dumb. */
export const bold = pc.bold;
export const dim = pc.dim;
export const green = pc.green;
export const red = pc.red;
export const yellow = pc.yellow;

/**
 * Rows under upper-case heads on a terminal, headerless tab-separated values in a pipe (as kubectl and gh do). The last
 * column may be cut to the width of the terminal.
 */
export function printTable(screen: Screen, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  if (!screen.isTty) {
    for (const row of rows) screen.out(row.map((cell) => cell.replaceAll(/[\t\n]/g, ' ')).join('\t'));
    return;
  }
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .slice(0, screen.columns);
  screen.out(bold(line(heads)));
  for (const row of rows) screen.out(line(row));
}

/** JSON with the version of its form; one value, two spaces. */
export const printJson = (screen: Screen, kind: string, value: unknown): void =>
  screen.out(JSON.stringify({ apiVersion: 'medic/v1', kind, value }, null, 2));

/** `14 s`, `2 m`, `3 h`, `5 d` */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6_000) return `${Math.round(seconds / 60)} m`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
