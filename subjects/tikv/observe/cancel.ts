/** An end of our own for something that the caller may end, too. */
export interface Cancel {
  readonly signal: AbortSignal;
  cancel(): void;
  /** Lets go of the caller's signal, which may live much longer. */
  release(): void;
}

/** Not `AbortSignal.any`: Node 20 may collect a signal that only it holds, and then nothing fires. */
export function createCancel(outer?: AbortSignal): Cancel {
  const own = new AbortController();
  const cancel = () => own.abort();
  if (outer?.aborted) cancel();
  outer?.addEventListener('abort', cancel, { once: true });
  return { signal: own.signal, cancel, release: () => outer?.removeEventListener('abort', cancel) };
}
