import type { NodeReport } from './report.js';

/** The table of `labctl ps`: one line per node, columns padded, a heading. */
export function nodesTable(nodes: readonly NodeReport[], now: Date): string {
  const rows = [HEADING, ...nodes.map((node) => rowOf(node, now))];
  const widths = HEADING.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

const HEADING = ['NAME', 'STATUS', 'PID', 'STARTS', 'ADDRESS', 'STATUS ADDRESS'];

function rowOf(node: NodeReport, now: Date): string[] {
  const { name, pid, starts, address, statusAddress } = node;
  return [name, statusOf(node, now), pid === null ? '-' : String(pid), String(starts), address, statusAddress ?? '-'];
}

/** In docker's words, with the one thing docker does not say: died, or stopped by request. */
function statusOf({ state, exitCode, startedAt, finishedAt, stoppedByRequest }: NodeReport, now: Date): string {
  switch (state) {
    case 'running':
      return `Up ${age(startedAt, now)}`;
    case 'paused':
      return `Up ${age(startedAt, now)} (Paused)`;
    case 'exited':
      return `Exited (${exitCode ?? '?'}) ${age(finishedAt ?? startedAt, now)} ago, ${stoppedByRequest ? 'stopped by request' : 'died'}`;
  }
}

function age(since: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
