/** What is waited for, how long, and what to say when it does not come. */
export interface UntilOptions {
  readonly deadlineMs?: number;
  readonly everyMs?: number;
}

/**
 * Waits until `look` gives something other than undefined, and returns it. At the deadline it throws, with `what` and
 * the result of `seen`.
 *
 *     const node = await until('tikv-2 exited', async () => exitedOnly(await lab.inspect('tikv-2')));
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  options: UntilOptions & { seen?: () => unknown } = {},
): Promise<T> {
  const { deadlineMs = 5_000, everyMs = 50, seen } = options;
  const end = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() >= end)
      throw new Error(`not within ${deadlineMs} ms: ${what}${seen ? `; seen: ${JSON.stringify(seen())}` : ''}`);
    await new Promise((later) => setTimeout(later, everyMs));
  }
}
