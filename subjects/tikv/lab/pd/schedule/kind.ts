/** What an operator is about, and who asked for it (PD: `operator.OpKind`). */
export type Kind = 'admin' | 'replica' | 'region' | 'leader';

/** PD's bits, which is how its API gives kinds as numbers. Their order is that in which PD names them. */
const BITS = { admin: 1, replica: 16, region: 128, leader: 256 } as const satisfies Record<Kind, number>;

export function kindNumber(kinds: readonly Kind[]): number {
  return kinds.reduce((sum, kind) => sum + BITS[kind], 0);
}

/** The kinds, each once, in PD's order. */
export function kindsOf(kinds: readonly Kind[]): readonly Kind[] {
  return (Object.keys(BITS) as Kind[]).filter((kind) => kinds.includes(kind));
}

/** The kind whose schedule limit counts: the first one (PD: `Operator.SchedulerKind`). */
export function countedKind(kinds: readonly Kind[]): Kind {
  return kindsOf(kinds)[0] ?? 'region';
}
