/** What the page shows of one row of `bench/results/faults.json`. */
export interface FaultRow {
  readonly fault: string;
  readonly rightEnd: string;
  readonly right: string;
  readonly at: string;
  readonly commit: string;
  /** Of the runs, in seconds since the fault was confirmed; `null`: not reached in most of them. */
  readonly median: Readonly<Record<'detected' | 'repaired' | 'proven' | 'acts', number | null>>;
}

const HEAD = [
  '| fault | right end | reached | detected | repaired | proven | acts | at commit | on |',
  '|---|---|---|---|---|---|---|---|---|',
];

/** The committed table of `docs/faults.md`: seconds since the fault was confirmed, medians. */
export function faultsTable(rows: readonly FaultRow[]): string {
  return [...HEAD, ...rows.map(lineOf), ''].join('\n');
}

function lineOf({ fault, rightEnd, right, at, commit, median }: FaultRow): string {
  const { detected, repaired, proven, acts } = median;
  const cells = [fault, rightEnd, right, ...[detected, repaired, proven].map(seconds), acts ?? '-', commit, day(at)];
  return `| ${cells.join(' | ')} |`;
}

const seconds = (value: number | null): string => (value === null ? '-' : `${value} s`);
const day = (at: string): string => at.slice(0, 10);
