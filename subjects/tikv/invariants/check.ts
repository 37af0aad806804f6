import type { Target } from '../../../src/domain/ids.js';
import type { Broken, Check, Severity } from '../../../src/domain/violation.js';

/** What one target says to an invariant. */
export type Finding =
  | { readonly kind: 'holds' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'broken'; readonly severity: Severity; readonly message: string };

export const HOLDS: Finding = { kind: 'holds' };
export const UNKNOWN: Finding = { kind: 'unknown' };
export const broken = (severity: Severity, message: string): Finding => ({ kind: 'broken', severity, message });

/** One finding about the whole, or about the declared target. */
export function checkOf(invariant: string, target: Target | null, finding: Finding): Check {
  const known = finding.kind !== 'unknown';
  return { invariant, known, broken: finding.kind === 'broken' ? [brokenOf(target, finding)] : [] };
}

/** One finding per target. Known as soon as one of them could be judged; the others are named. */
export function checkEach<T extends { readonly name: Target }>(
  invariant: string,
  targets: readonly T[],
  judge: (target: T) => Finding,
): Check {
  const findings = targets.map((target) => ({ target: target.name, finding: judge(target) }));
  const unjudged = findings.flatMap(({ target, finding }) => (finding.kind === 'unknown' ? [target] : []));
  return {
    invariant,
    known: unjudged.length < findings.length,
    broken: findings.flatMap(({ target, finding }) => (finding.kind === 'broken' ? [brokenOf(target, finding)] : [])),
    ...(unjudged.length > 0 ? { unjudged } : {}),
  };
}

function brokenOf(target: Target | null, { severity, message }: Extract<Finding, { kind: 'broken' }>): Broken {
  return { target, severity, message };
}
