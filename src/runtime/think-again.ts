import type { Digest } from '../domain/digest.js';
import { MedicError } from '../domain/errors.js';
import type { Thought } from '../domain/next-step.js';
import type { EvidenceStore } from '../evidence/store.js';
import { usageOf } from '../reasoner/claude/usage.js';
import { ModelFailure } from '../reasoner/model-failure.js';
import type { Attempt, Reasoner } from '../reasoner/reasoner.js';

export interface ThinkAgainDeps {
  readonly reasoner: Reasoner;
  /** Bodies of the evidence of its time. */
  readonly evidence: Pick<EvidenceStore, 'get'>;
  /** Tries of one turn before it counts as failed. */
  readonly tries: number;
  /** Names whoever asks, in reservations: `rethink-<uuid>`. */
  readonly run: string;
}

/** `thought` null: it could not be thought, `why` says why not. What was paid is told in both cases. */
export type ThoughtAgain =
  | { readonly thought: Thought; readonly usd: number }
  | { readonly thought: null; readonly usd: number; readonly why: string };

/** Thinks one digest outside of any workflow. A failure that may pass is tried again; nothing else is thrown than bugs. */
export async function thinkAgain(
  digest: Digest,
  { reasoner, evidence, tries, run }: ThinkAgainDeps,
): Promise<ThoughtAgain> {
  const hashes = new Map(digest.evidence.map(({ id, sha256 }) => [id, sha256]));
  const attempt: Attempt = { run, number: 1, calls: [], failures: [] };
  for (let number = 1; ; number += 1)
    try {
      const thought = await reasoner.reason(digest, {
        body: (id) => evidence.get(hashes.get(id) ?? ''),
        attempt: { ...attempt, number },
      });
      return { thought, usd: usageOf(attempt.calls).usd };
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'retry' && number < tries) continue;
      if (!(error instanceof ModelFailure) && !(error instanceof MedicError)) throw error;
      return { thought: null, usd: usageOf(attempt.calls).usd, why: error.message };
    }
}
