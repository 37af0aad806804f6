import { causeName } from './cause.js';
import type { Hypothesis, HypothesisUpdate } from './hypothesis.js';
import type { EvidenceId } from './ids.js';
import { hypothesisId } from './ids.js';

/**
 * Applies what a reasoner said. Confidence history only grows; evidence ids that the ticket does not have are dropped,
 * so nothing on the board can cite what was never seen.
 */
export function updateBoard(
  board: readonly Hypothesis[],
  updates: readonly HypothesisUpdate[],
  context: { readonly turn: number; readonly known: ReadonlySet<EvidenceId> },
): Hypothesis[] {
  return updates.reduce<Hypothesis[]>((current, update) => applyOne(current, update, context), [...board]);
}

function applyOne(
  board: Hypothesis[],
  update: HypothesisUpdate,
  { turn, known }: { turn: number; known: ReadonlySet<EvidenceId> },
): Hypothesis[] {
  const name = causeName(update.cause);
  const old = board.find((hypothesis) => causeName(hypothesis.cause) === name);
  const existing = (ids: readonly EvidenceId[]) => [...new Set(ids)].filter((id) => known.has(id));
  const next: Hypothesis = {
    id: old?.id ?? hypothesisId(board.length + 1),
    claim: update.claim,
    cause: update.cause,
    status: update.status,
    confidence: [...(old?.confidence ?? []), { turn, value: clamp(update.confidence) }],
    for: existing(update.for),
    against: existing(update.against),
    because: update.because,
  };
  return old ? board.map((hypothesis) => (hypothesis.id === old.id ? next : hypothesis)) : [...board, next];
}

const clamp = (value: number): number => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0));

export const confidenceOf = (hypothesis: Hypothesis): number => hypothesis.confidence.at(-1)?.value ?? 0;

/** The hypothesis that leads: confirmed before supported before open, then by confidence; never a refuted one. */
export function leading(board: readonly Hypothesis[]): Hypothesis | null {
  const rank = { confirmed: 0, supported: 1, open: 2, refuted: 3 } as const;
  const [first] = [...board].sort(
    (a, b) => rank[a.status] - rank[b.status] || confidenceOf(b) - confidenceOf(a) || a.id.localeCompare(b.id),
  );
  return first && first.status !== 'refuted' ? first : null;
}
