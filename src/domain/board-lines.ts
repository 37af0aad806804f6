import { causeName } from './cause.js';
import type { Hypothesis } from './hypothesis.js';
import type { EvidenceId } from './ids.js';

/**
 * The board as a person reads it, one line a hypothesis, in columns: what it claims, how sure and how that came about, what
 * speaks for and against it. For a refuted one only what refutes it counts.
 *
 *     H1 process-dead/tikv-2    0.30 → 0.95  supported  for e2 e4  against -: the host shows tikv-2 exited 137, died
 *     H2 process-frozen/tikv-2  0.30 → 0.02  refuted by e2: there is no process to be frozen
 */
export function boardLines(board: readonly Hypothesis[]): string[] {
  const names = board.map((h) => causeName(h.cause));
  const beliefs = board.map(confidenceHistory);
  return board.map((h, i) =>
    [`${h.id} ${padded(names[i], names)}`, padded(beliefs[i], beliefs), `${standing(h)}: ${h.because}`].join('  '),
  );
}

const padded = (text = '', column: readonly string[]): string =>
  text.padEnd(Math.max(...column.map((other) => other.length)));

function standing(h: Hypothesis): string {
  if (h.status === 'refuted') return h.against.length > 0 ? `refuted by ${h.against.join(' ')}` : 'refuted';
  return `${h.status.padEnd(9)}  for ${evidenceList(h.for)}  against ${evidenceList(h.against)}`;
}

/** `e2 e4`, or `-` for none. */
export const evidenceList = (list: readonly EvidenceId[]): string => (list.length > 0 ? list.join(' ') : '-');

/** Values that a line has room for. */
const MOST_VALUES = 4;

/** `0.30 → 0.60 → 0.95`: each change of the confidence; of many the first and the last ones. */
export function confidenceHistory({ confidence }: Hypothesis): string {
  const values = confidence.map(({ value }) => value.toFixed(2)).filter((value, i, all) => value !== all[i - 1]);
  const shown = values.length <= MOST_VALUES ? values : [...values.slice(0, 1), '…', ...values.slice(1 - MOST_VALUES)];
  return shown.join(' → ');
}

/** Open, and nothing was seen yet that speaks for or against it. */
const isUntested = (h: Hypothesis): boolean => h.status === 'open' && h.for.length + h.against.length === 0;

/** The board of one turn: what was not tested yet shares a line, because there is nothing else to say of it. */
export function boardOfTurn(board: readonly Hypothesis[]): string[] {
  const untested = board.filter(isUntested).map((h) => causeName(h.cause));
  return [
    ...(untested.length > 0 ? [`to be tested: ${untested.join(', ')}`] : []),
    ...boardLines(board.filter((h) => !isUntested(h))),
  ];
}
