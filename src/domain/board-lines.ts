import { confidenceOf } from './board.js';
import { causeName } from './cause.js';
import type { Hypothesis } from './hypothesis.js';
import type { EvidenceId } from './ids.js';

/**
 * The board as a person reads it, one line a hypothesis, in columns: what it claims, how sure, what speaks for and against
 * it. For a refuted one only what refutes it counts.
 *
 *     H1 process-dead/tikv-2    0.95 supported  for e2 e4  against -: the host shows tikv-2 exited 137, died
 *     H2 process-frozen/tikv-2  refuted by e2: there is no process to be frozen
 */
export function boardLines(board: readonly Hypothesis[]): string[] {
  const width = Math.max(0, ...board.map((h) => causeName(h.cause).length));
  return board.map((h) => `${h.id} ${causeName(h.cause).padEnd(width)}  ${standing(h)}: ${h.because}`);
}

function standing(h: Hypothesis): string {
  if (h.status === 'refuted') return h.against.length > 0 ? `refuted by ${h.against.join(' ')}` : 'refuted';
  return `${confidenceOf(h).toFixed(2)} ${h.status.padEnd(9)}  for ${ids(h.for)}  against ${ids(h.against)}`;
}

const ids = (list: readonly EvidenceId[]): string => (list.length > 0 ? list.join(' ') : '-');

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
