import type { TokenCounts } from '../../domain/next-step.js';

/** What a million tokens cost in US dollars, from a day (UTC, `2026-10-07`) on. */
export interface Price {
  readonly from: string;
  readonly input: number;
  readonly output: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
}

/** Prices of each model, the oldest first. */
export type PriceTable = Readonly<Record<string, readonly Price[]>>;

/** The price that holds at a moment; `null` before the first day of the table and for a model that it does not know. */
export function priceAt(table: PriceTable, model: string, atMs: number): Price | null {
  const day = new Date(atMs).toISOString().slice(0, 10);
  return table[model]?.findLast(({ from }) => from <= day) ?? null;
}

/** Millionths of a dollar, rounded up: dollars per million tokens are millionths of a dollar per token. */
export const microsOf = (tokens: TokenCounts, price: Price): number =>
  upTo(
    tokens.input * price.input +
      tokens.output * price.output +
      tokens.cacheWrite * price.cacheWrite +
      tokens.cacheRead * price.cacheRead,
  );

/** Tokens that the API adds by itself for tools; a few hundred in its documentation. */
const OVERHEAD_TOKENS = 2_000;

/**
 * The most that one call can cost: a token is at least one byte of the request, all of it is written to the cache (the
 * dearest way to read it), and the answer is as long as it may be.
 */
export const worstCaseMicros = (
  { requestBytes, maxTokens }: { readonly requestBytes: number; readonly maxTokens: number },
  price: Price,
): number =>
  upTo((requestBytes + OVERHEAD_TOKENS) * Math.max(price.input, price.cacheWrite) + maxTokens * price.output);

/** Products of prices like 0.1 leave dust behind the point; a millionth of a millionth is no money. */
const upTo = (micros: number): number => Math.ceil(micros - 1e-6);
