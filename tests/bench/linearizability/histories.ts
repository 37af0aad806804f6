import fc from 'fast-check';
import type { Operation } from '../../../bench/linearizability/operation.js';

/** An operation with the moment in which it took effect; null for a write that never did. */
interface Planned {
  readonly kind: 'read' | 'write';
  readonly gap: number;
  readonly before: number;
  readonly after: number;
  readonly outcome: 'known' | 'unknown' | 'never';
}

const planned: fc.Arbitrary<Planned> = fc.record({
  kind: fc.constantFrom('read', 'write'),
  gap: fc.integer({ min: 1, max: 10 }),
  before: fc.integer({ min: 0, max: 30 }),
  after: fc.integer({ min: 0, max: 30 }),
  outcome: fc.constantFrom('known', 'known', 'known', 'unknown', 'never'),
});

/** What clients of a register see that does everything at one moment between call and answer. */
export const atomicHistory: fc.Arbitrary<Operation[]> = fc
  .array(planned, { minLength: 1, maxLength: 60 })
  .map((plans) => {
    let at = 0;
    let held: string | null = null;
    return plans.map((plan, index): Operation => {
      at += plan.gap;
      const times = { key: 'k', calledAt: at - plan.before, returnedAt: at + plan.after };
      if (plan.kind === 'read') return { kind: 'read', value: held, ...times };
      const value = `v${index}`;
      if (plan.outcome !== 'never') held = value;
      return { kind: 'write', value, ...times, returnedAt: plan.outcome === 'known' ? times.returnedAt : null };
    });
  });

/** Few operations on few values: every order of them can be tried. */
export const smallHistory: fc.Arbitrary<Operation[]> = fc.array(
  fc
    .record({
      kind: fc.constantFrom('read' as const, 'write' as const),
      value: fc.constantFrom('a', 'b', null),
      calledAt: fc.integer({ min: 0, max: 12 }),
      took: fc.integer({ min: 0, max: 8 }),
      isKnown: fc.constantFrom(true, true, false),
    })
    .map(({ kind, value, calledAt, took, isKnown }): Operation => {
      const times = { key: 'k', calledAt, returnedAt: calledAt + took };
      if (kind === 'read') return { kind, value, ...times };
      return { kind, value: value ?? 'c', ...times, returnedAt: isKnown ? times.returnedAt : null };
    }),
  { maxLength: 6 },
);

/** By the definition and nothing else: tries every order that the times allow, with and without what may not have happened. */
export function isLinearizableByTrying(operations: readonly Operation[], held: string | null = null): boolean {
  if (operations.every(({ returnedAt }) => returnedAt === null)) return true;
  const mayBeFirst = ({ calledAt }: Operation) =>
    operations.every(({ returnedAt }) => returnedAt === null || calledAt <= returnedAt);
  return operations.some((first) => {
    if (!mayBeFirst(first)) return false;
    if (first.kind === 'read' && first.value !== held) return false;
    const rest = operations.filter((other) => other !== first);
    return isLinearizableByTrying(rest, first.value);
  });
}
