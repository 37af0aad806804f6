import { canonical } from './canonical.js';
import type { EvidenceId, HypothesisId, Instant, ProposalId, Target } from './ids.js';
import type { Call } from './query.js';

/** What a reasoner asks for: actions of the catalogue, or calls of its own. */
export interface ProposalDraft {
  readonly title: string;
  /** Which cause it cures; must name a hypothesis on the board or in the same thought. */
  readonly cause: { readonly class: string; readonly target: Target };
  readonly evidence: readonly EvidenceId[];
  readonly test: NamedTest;
  readonly alternative: NamedAlternative;
  readonly effect: string;
  readonly risk: string;
  readonly steps: readonly StepDraft[];
}

/** The look that could have shown the cause to be another one. */
export interface NamedTest {
  /** An answered look of this ticket, not its picture, that the hypothesis cites. */
  readonly evidence: EvidenceId;
  /** What it would have had to say. */
  readonly wouldHaveRefuted: string;
}

/** Another hypothesis of the board that was taken seriously: evidence was weighed for it. */
export interface NamedAlternative {
  readonly cause: { readonly class: string; readonly target: Target };
  /** Why it is not that. */
  readonly why: string;
}

export type StepDraft =
  | { readonly kind: 'action'; readonly action: string; readonly target: Target }
  | { readonly kind: 'call'; readonly describe: string; readonly call: Call; readonly target: Target };

/** How a step is taken back. */
export type Inverse =
  | { readonly kind: 'restore'; readonly describe: string; readonly call: Call }
  | { readonly kind: 'none'; readonly why: string }
  | { readonly kind: 'irreversible'; readonly why: string };

/** One step, ready to be ruled on and to run. */
export interface Step {
  readonly describe: string;
  readonly action: string | null;
  readonly target: Target;
  readonly call: Call;
  readonly inverse: Inverse;
  /** Hard deadline of the command. */
  readonly timeoutMs: number;
}

/** A numbered plan. The number is for people; the id is what answers must name. */
export interface Proposal {
  readonly id: ProposalId;
  readonly number: number;
  readonly at: Instant;
  readonly turn: number;
  readonly title: string;
  /** The person who wrote it; absent: the reasoner. */
  readonly by?: string;
  readonly hypothesis: HypothesisId;
  readonly cause: { readonly class: string; readonly target: Target };
  readonly evidence: readonly EvidenceId[];
  /** Absent in archives from before it was asked for. */
  readonly test?: NamedTest;
  /** Absent in archives from before it was asked for. */
  readonly alternative?: NamedAlternative;
  readonly effect: string;
  readonly risk: string;
  readonly steps: readonly Step[];
}

/**
 * One fact that a ruling rests on. An improvement never invalidates a ruling: `margin` facts compare by `>=`, and of a
 * `fewer` fact (a list of what is amiss, `none` when empty) some may be gone. All others compare by equality.
 */
export interface BasisFact {
  readonly fact: string;
  readonly value: string | number;
  readonly compare: 'equal' | 'margin' | 'fewer';
}

export type Basis = readonly BasisFact[];

export type RulingKind = 'read' | 'pre-approved' | 'needs-approval' | 'unproven' | 'forbidden';

/** What policy says about one step or a whole proposal. Always with a reason for a person. */
export interface Ruling {
  readonly kind: RulingKind;
  readonly reason: string;
  /** Code of the error registry when it is a refusal. */
  readonly code?: string;
}

/** What one step would run, flattened, and what policy says about it. */
export interface StepRuling {
  readonly commands: readonly string[];
  readonly ruling: Ruling;
}

/** From harmless to worst; the whole is as bad as its worst part. */
export const RULING_ORDER: readonly RulingKind[] = ['read', 'pre-approved', 'needs-approval', 'unproven', 'forbidden'];

export const worst = (rulings: readonly Ruling[]): Ruling =>
  rulings.reduce((a, b) => (RULING_ORDER.indexOf(b.kind) > RULING_ORDER.indexOf(a.kind) ? b : a), {
    kind: 'read',
    reason: 'nothing to rule on',
  });

/**
 * What changed between two bases, one line each; empty when the old ruling still stands on the new facts. A margin that
 * could not be told before and now can is an improvement, too.
 */
export function basisChanges(before: Basis, now: Basis): string[] {
  const current = new Map(now.map((fact) => [fact.fact, fact.value]));
  const changed = before.flatMap((fact) => {
    const value = current.get(fact.fact);
    return stillHolds(fact, value) ? [] : [`${fact.fact}: ${fact.value} -> ${value ?? 'unknown'}`];
  });
  const known = new Set(before.map((fact) => fact.fact));
  const added = now.filter(({ fact, compare }) => !known.has(fact) && compare !== 'margin');
  return [...changed, ...added.map((fact) => `${fact.fact}: new, ${fact.value}`)];
}

function stillHolds(fact: BasisFact, value: string | number | undefined): boolean {
  if (fact.compare === 'margin') return typeof value === 'number' && value >= Number(fact.value);
  if (fact.compare === 'fewer')
    return value !== undefined && namesIn(value).every((name) => namesIn(fact.value).includes(name));
  return value === fact.value;
}

const namesIn = (list: string | number): string[] => (list === 'none' ? [] : String(list).split(', '));

/** Text whose hash is the `basisHash`: only what compares by equality, so that an improvement keeps the hash. */
export const basisText = (basis: Basis): string =>
  canonical([...basis].filter((f) => f.compare === 'equal').sort((a, b) => a.fact.localeCompare(b.fact)));
