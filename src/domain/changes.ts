import { type Basis, basisChanges, type Ruling } from './proposal.js';

/** What a plan rested on, before and now. */
export interface Rebasing {
  readonly before: { readonly basis: Basis; readonly ruling: Ruling };
  readonly now: { readonly basis: Basis; readonly ruling: Ruling };
  /** What was seen when it could not run, or was said of it. */
  readonly told: readonly string[];
}

/** What changed since a person last saw the plan, one line each: facts field by field, then the ruling. */
export function whatChanged({ before, now, told }: Rebasing): readonly string[] {
  const facts = basisChanges(before.basis, now.basis);
  const ruling =
    before.ruling.kind === now.ruling.kind
      ? []
      : [`ruling: ${before.ruling.kind} -> ${now.ruling.kind} (${now.ruling.reason})`];
  const seen = told.filter((line) => !facts.some((fact) => fact.endsWith(line)));
  return [...seen, ...facts, ...ruling];
}
