/** How a request went: an answer of any status, or none. */
export type Probed<T> =
  | { readonly kind: 'answer'; readonly status: number; readonly body: T; readonly ms: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'timeout' };

/** `GET` with a limit on the whole answer; `read` gets the text. A connection that is cut counts as no answer in time. */
export async function probe<T>(url: string, limitMs: number, read: (text: string) => T): Promise<Probed<T>> {
  const began = performance.now();
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    const body = read(await response.text());
    return { kind: 'answer', status: response.status, body, ms: performance.now() - began };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return { kind: cause?.code === 'ECONNREFUSED' ? 'refused' : 'timeout' };
  }
}
