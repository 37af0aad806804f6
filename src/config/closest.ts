/**
 * The candidate that `word` was most likely meant to be, or `null` when none is near. Near: at most a third of its
 * letters wrong, missing, added or swapped with their neighbour.
 */
export function closest(word: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? null;
}

/** Optimal string alignment: how many letters must be replaced, left out, put in or swapped to make `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(above, j) + 1,
        at(row, j - 1) + 1,
        at(above, j - 1) + same,
        swapped ? at(before, j - 2) + 1 : Infinity,
      );
    }
    [before, above] = [above, row];
  }
  return at(above, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
