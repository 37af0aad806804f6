import { randomUUID } from 'node:crypto';
import { type StepKey, sameStep, stepKey } from '../domain/step-key.js';
import type { EvidenceStore } from '../evidence/store.js';
import type { Reasoner } from '../reasoner/reasoner.js';
import type { RecordedTurn } from './recorded-thoughts.js';
import { thinkAgain } from './think-again.js';

export interface RethinkDeps {
  /** Thinks with the present prompt or rules. */
  readonly reasoner: Reasoner;
  /** Hash of the present prompt or rules: a turn that was thought with it would be thought the same, and is free. */
  readonly promptSha: string;
  readonly evidence: Pick<EvidenceStore, 'get'>;
  /** Tries of one turn before it counts as failed. */
  readonly tries: number;
}

/** One recorded turn beside what the present prompt makes of it. */
export interface Rethought {
  readonly turn: number;
  readonly recorded: StepKey;
  /** `null`: it could not be thought again; `note` says why. */
  readonly now: StepKey | null;
  readonly differs: boolean;
  /** `recorded`: by the same prompt, so nothing was asked. */
  readonly source: 'recorded' | 'asked';
  readonly usd: number;
  readonly note: string;
}

/**
 * Thinks recorded turns again, each from the digest, the conversation and the evidence of its time. What comes after a
 * turn is not thought through: the world would have gone another way.
 */
export async function rethink(turns: readonly RecordedTurn[], deps: RethinkDeps): Promise<Rethought[]> {
  const run = `rethink-${randomUUID()}`;
  const rows: Rethought[] = [];
  for (const turn of turns) rows.push(await rethinkTurn(turn, run, deps));
  return rows;
}

async function rethinkTurn(
  { turn, digest, thought }: RecordedTurn,
  run: string,
  deps: RethinkDeps,
): Promise<Rethought> {
  const recorded = stepKey(thought.nextStep);
  if (thought.promptSha === deps.promptSha)
    return { turn, recorded, now: recorded, differs: false, source: 'recorded', usd: 0, note: 'the same prompt' };
  const again = await thinkAgain(digest, { ...deps, run });
  const { usd } = again;
  if (again.thought === null)
    return { turn, recorded, now: null, differs: true, source: 'asked', usd, note: again.why };
  const now = stepKey(again.thought.nextStep);
  const note = (again.thought.notes ?? []).join('; ');
  return { turn, recorded, now, differs: !sameStep(recorded, now), source: 'asked', usd, note };
}
