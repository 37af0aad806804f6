import { canonical } from '../../domain/canonical.js';
import type { Digest } from '../../domain/digest.js';
import type { Thought } from '../../domain/next-step.js';
import { type StepKey, sameStep, stepKey } from '../../domain/step-key.js';
import type { EvidenceStore } from '../../evidence/store.js';
import type { Reasoner } from '../../reasoner/reasoner.js';
import { type ThoughtAgain, thinkAgain } from '../think-again.js';

export interface ThinkerOptions {
  /** Is this recorded thought, about the very same digest, what would be thought again? Then it is taken, free. */
  readonly stands: (recorded: Thought) => boolean;
  /** `null`: nobody may be asked. */
  readonly reasoner: Reasoner | null;
  readonly tries: number;
  readonly evidence: Pick<EvidenceStore, 'get'>;
  readonly run: string;
}

/** Thinks the turns of a what-if; `recorded` is what was thought about the same digest, if it was. */
export interface Thinker {
  think(digest: Digest, recorded: Thought | null): Promise<Thinking>;
  /** USD that was paid so far. */
  readonly spent: number;
}

export type Thinking = { readonly thought: Thought } | { readonly thought: null; readonly why: string };

export function createThinker({ stands, reasoner, ...deps }: ThinkerOptions): Thinker {
  let spent = 0;
  return {
    get spent() {
      return spent;
    },
    async think(digest, recorded) {
      if (recorded && stands(recorded)) return { thought: recorded };
      if (!reasoner) return { thought: null, why: 'a thought of the model (say who thinks with --reasoner)' };
      const again = await thinkAgain(digest, { reasoner, ...deps }).catch(unreadable);
      spent += again.usd;
      return again.thought ? { thought: again.thought } : { thought: null, why: `a thought: ${again.why}` };
    },
  };
}

/** A picture of an older version lacks what the present code reads off it. */
function unreadable(error: unknown): ThoughtAgain {
  if (!(error instanceof TypeError)) throw error;
  return { thought: null, usd: 0, why: `what was recorded is of an older version (${error.message})` };
}

/** Only what a reasoner decides and believes, not how it came about. */
export const sameThought = (a: Thought, b: Thought): boolean =>
  canonical([a.nextStep, a.hypotheses]) === canonical([b.nextStep, b.hypotheses]);

/** Leads on to the same: looks in another order are told apart, as their evidence has other ids then. */
export function leadsTheSameWay(a: Thought, b: Thought): boolean {
  if (!sameStep(stepKey(a.nextStep), stepKey(b.nextStep))) return false;
  if (a.nextStep.kind !== 'look' || b.nextStep.kind !== 'look') return true;
  return canonical(a.nextStep.calls) === canonical(b.nextStep.calls);
}

export const wordsOf = ({ nextStep }: Thought): string => describe(stepKey(nextStep));

const describe = ({ kind, target }: StepKey): string => `${kind} ${target}`;
