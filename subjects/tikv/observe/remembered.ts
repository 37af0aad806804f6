export interface Remembering<T> {
  readonly look: (signal?: AbortSignal) => Promise<T>;
  /** How long a whole answer stands. */
  readonly everyMs: number;
  /** Epoch ms. */
  readonly clock: () => number;
  /** What is not whole is looked at again at once. */
  readonly isWhole: (seen: T) => boolean;
}

/** A look at what changes seldom: the last answer stands for a while, with the time at which it was given. */
export function remembered<T>({ look, everyMs, clock, isWhole }: Remembering<T>): (signal?: AbortSignal) => Promise<T> {
  let last: { readonly at: number; readonly seen: T } | null = null;
  return async (signal) => {
    const now = clock();
    if (last && now - last.at < everyMs) return last.seen;
    const seen = await look(signal);
    last = isWhole(seen) ? { at: now, seen } : null;
    return seen;
  };
}
