import { type Cause, causeName } from './cause.js';
import type { Hypothesis, HypothesisStatus, HypothesisUpdate } from './hypothesis.js';
import type { EvidenceId } from './ids.js';
import { hypothesisId } from './ids.js';

/** More than that is no investigation any more, and every digest carries the whole board. */
export const MAX_HYPOTHESES = 20;

export interface BoardContext {
  readonly turn: number;
  /** Evidence that the ticket has. */
  readonly known: ReadonlySet<EvidenceId>;
}

/** What became of the updates of one thought. */
export interface BoardChange {
  readonly board: readonly Hypothesis[];
  /** Why an update was not applied, in words for the reasoner; its hypothesis stands as before. */
  readonly refused: readonly string[];
}

/**
 * Applies what a reasoner said. Confidence history only grows. An update that cites evidence the ticket does not have, or
 * a verdict without evidence on its side, is not applied, so nothing on the board can rest on what was never seen.
 * `confirmed` is what a proof says ({@link confirmCause}); of a reasoner it counts as `supported`.
 */
export function updateBoard(
  board: readonly Hypothesis[],
  updates: readonly HypothesisUpdate[],
  context: BoardContext,
): BoardChange {
  return updates.reduce<BoardChange>((current, update) => applyOne(current, update, context), { board, refused: [] });
}

function applyOne(
  { board, refused }: BoardChange,
  update: HypothesisUpdate,
  { turn, known }: BoardContext,
): BoardChange {
  const name = causeName(update.cause);
  const old = board.find((hypothesis) => causeName(hypothesis.cause) === name);
  const reason = whyNot(update, known) ?? (old || board.length < MAX_HYPOTHESES ? null : FULL);
  if (reason) return { board, refused: [...refused, `${name} stands as before: ${reason}`] };
  const next: Hypothesis = {
    id: old?.id ?? hypothesisId(board.length + 1),
    claim: update.claim,
    cause: update.cause,
    status: claimable(update.status),
    confidence: [...(old?.confidence ?? []), { turn, value: clamp(update.confidence) }],
    for: distinct(update.for),
    against: distinct(update.against),
    because: update.because,
  };
  return { board: old ? board.map((h) => (h.id === old.id ? next : h)) : [...board, next], refused };
}

const FULL = `the board holds ${MAX_HYPOTHESES} hypotheses already`;

/** A hypothesis may be opened, or taken back to open, on no evidence; it may not be decided on none. */
function whyNot(update: HypothesisUpdate, known: ReadonlySet<EvidenceId>): string | null {
  const unknown = distinct([...update.for, ...update.against]).filter((id) => !known.has(id));
  if (unknown.length > 0) return `it cites evidence that does not exist: ${unknown.join(', ')}`;
  switch (claimable(update.status)) {
    case 'open':
      return null;
    case 'refuted':
      return update.against.length > 0 ? null : 'it is called refuted, but no evidence against it is cited';
    case 'supported':
    case 'confirmed':
      return update.for.length > 0 ? null : 'it is called supported, but no evidence for it is cited';
  }
}

const claimable = (status: HypothesisStatus): HypothesisStatus => (status === 'confirmed' ? 'supported' : status);

const distinct = (ids: readonly EvidenceId[]): EvidenceId[] => [...new Set(ids)];

const clamp = (value: number): number => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0));

/** What a healthy proof says of the cause that was cured. Its confidence stays what the reasoner believed. */
export function confirmCause(
  board: readonly Hypothesis[],
  cause: Cause,
  { evidence, because }: { readonly evidence: readonly EvidenceId[]; readonly because: string },
): Hypothesis[] {
  return board.map((h) =>
    causeName(h.cause) === causeName(cause)
      ? { ...h, status: 'confirmed', for: distinct([...h.for, ...evidence]), because }
      : h,
  );
}

export const confidenceOf = (hypothesis: Hypothesis): number => hypothesis.confidence.at(-1)?.value ?? 0;

/** The hypothesis that leads: confirmed before supported before open, then by confidence; never a refuted one. */
export function leading(board: readonly Hypothesis[]): Hypothesis | null {
  const rank = { confirmed: 0, supported: 1, open: 2, refuted: 3 } as const;
  const [first] = [...board].sort(
    (a, b) => rank[a.status] - rank[b.status] || confidenceOf(b) - confidenceOf(a) || a.id.localeCompare(b.id),
  );
  return first && first.status !== 'refuted' ? first : null;
}
