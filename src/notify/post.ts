import type { NotifyRequest } from './request.js';

/** `again`: it may go better later. `refused`: the same request will never be taken. */
export type Delivery =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'again'; readonly why: string; readonly afterMs: number | null }
  | { readonly outcome: 'refused'; readonly why: string };

export interface PostOptions {
  readonly request: NotifyRequest;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

const ANSWER_CHARACTERS = 200;
const SOON_AGAIN = [408, 425, 429];

/** Sends one request, once. Redirects are not followed: they could lead a secret elsewhere. */
export async function post({ request, withinMs, signal }: PostOptions): Promise<Delivery> {
  const { url, headers, body } = request;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit });
    const said = (await answer.text()).slice(0, ANSWER_CHARACTERS);
    return deliveryOf(answer, said);
  } catch (error) {
    return { outcome: 'again', why: whyOf(error), afterMs: null };
  }
}

function deliveryOf({ status, headers }: Response, said: string): Delivery {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status };
  const why = `it answered ${status} ${said}`.trim();
  if (status < 500 && !SOON_AGAIN.includes(status)) return { outcome: 'refused', why };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return { outcome: 'again', why, afterMs: seconds > 0 ? seconds * 1_000 : null };
}

/** Without the address, which may be the secret. */
function whyOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'it did not answer in time';
  const { cause } = error as { cause?: { code?: string } };
  return `it cannot be reached (${cause?.code ?? (error as Error).name})`;
}
