/** Outcome of {@link minimise}; `runs` is how often `fails` was asked. */
export interface Minimal<T> {
  items: T[];
  runs: number;
}

export interface MinimiseOptions<T> {
  /** Something about these fails. */
  items: readonly T[];
  /** Do these fail in the same way? */
  fails: (items: T[]) => boolean;
  /** The search ends with what it has after so many questions. */
  maxRuns: number;
}

/**
 * A small part of `items` that still fails (delta debugging, Zeller 2002): leaves out ever smaller pieces as long as the
 * rest fails. If it ends before `maxRuns`, no single item can be left out any more.
 */
export function minimise<T>({ items, fails, maxRuns }: MinimiseOptions<T>): Minimal<T> {
  let kept = [...items];
  let runs = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1 && runs < maxRuns; ) {
    let hasShrunk = false;
    for (let at = 0; at < kept.length && runs < maxRuns; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)];
      runs += 1;
      if (fails(rest)) {
        kept = rest;
        hasShrunk = true;
      } else at += size;
    }
    if (size > 1) size = Math.min(size >> 1, Math.max(1, kept.length));
    else if (!hasShrunk) break;
  }
  return { items: kept, runs };
}
