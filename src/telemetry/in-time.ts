/** A scrape must end even if what it asks hangs: `null` when the work takes longer. */
export async function inTime<T>(work: () => Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}
