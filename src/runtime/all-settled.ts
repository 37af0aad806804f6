/** Waits for all, also where one fails: nobody may close what the others still call through. Throws the first failure. */
export async function allSettled<T extends readonly unknown[]>(
  promises: {
    readonly [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as T;
}
