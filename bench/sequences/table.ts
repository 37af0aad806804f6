import { type Compared, type Comparison, differencesOf } from './compare.js';
import type { KnownDifference } from './known-differences.js';

export interface FaultComparison {
  readonly fault: string;
  readonly comparison: Comparison;
  readonly known: readonly KnownDifference[];
}

/** The part of docs/lab-sequences.md that is made from the recordings. */
export function sequencePage(faults: readonly FaultComparison[]): string {
  return faults.map(section).join('\n');
}

function section({ fault, comparison, known }: FaultComparison): string {
  const differences = differencesOf(comparison);
  const agreed = comparison.events.filter(({ verdict }) => verdict === 'agrees').length;
  const reasons = known.map(({ what, why }) => `- ${what}: ${why}`);
  return [
    `### ${fault}`,
    '',
    `${agreed} of ${comparison.events.length} events agree; ${differences.length} differences.`,
    '',
    '| event | real cluster | stand-in | |',
    '|---|---|---|---|',
    ...comparison.events.map(line),
    '',
    ...(reasons.length > 0 ? [...reasons, ''] : []),
  ].join('\n');
}

function line({ phase, event, realS, standInS, verdict }: Compared): string {
  const at = (s: number | null) => {
    if (s === null) return '-';
    return phase === 'during' ? `+${s} s` : `healed +${s} s`;
  };
  return `| ${event} | ${at(realS)} | ${at(standInS)} | ${verdict} |`;
}
