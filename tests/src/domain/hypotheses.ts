import { updateBoard } from '../../../src/domain/board.js';
import type { Evidence } from '../../../src/domain/evidence.js';
import type { Hypothesis, HypothesisStatus, HypothesisUpdate } from '../../../src/domain/hypothesis.js';
import { evidenceId } from '../../../src/domain/ids.js';

export const dead = { class: 'process-dead', target: 'tikv-2' };
export const frozen = { class: 'process-frozen', target: 'tikv-2' };

/** An update whose evidence stands on the side that its status needs. */
export const update = (
  cause: typeof dead,
  status: HypothesisStatus,
  confidence: number,
  ids: readonly number[] = [],
): HypothesisUpdate => ({
  cause,
  claim: cause.class,
  status,
  confidence,
  for: status === 'refuted' ? [] : ids.map(evidenceId),
  against: status === 'refuted' ? ids.map(evidenceId) : [],
  because: 'seen',
});

/** The ticket has e1, its picture, and the looks e2 and e3. */
export const known = new Set([1, 2, 3].map(evidenceId));

export const boardOf = (...updates: readonly HypothesisUpdate[]): readonly Hypothesis[] =>
  updateBoard([], updates, { turn: 1, known }).board;

export const look = (id: number, part: Partial<Evidence> = {}): Evidence => ({
  id: evidenceId(id),
  at: '2026-01-01T00:00:00.000Z',
  host: 'lab',
  call: { kind: 'shell', host: 'lab', command: 'labctl inspect tikv-2' },
  exit: 0,
  durationMs: 1,
  line: 'exited 137',
  head: '',
  tail: '',
  bytes: 1,
  sha256: 'x',
  redactions: 0,
  tainted: true,
  ...part,
});

export const picture = look(1, { call: null });
