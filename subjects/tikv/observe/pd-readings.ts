import type { z } from 'zod';
import { instant } from '../../../src/domain/ids.js';
import { gap, known, type Reading } from '../../../src/domain/reading.js';
import { parseLossless } from './json.js';
import type { PdClient } from './pd-client.js';

export interface PdReader {
  readonly pd: PdClient;
  /** Epoch ms. */
  readonly clock: () => number;
}

export interface PdRead<T> {
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly signal?: AbortSignal;
}

/** What any member answers with 200 and in the known shape; everything else is a gap that says what came instead. */
export async function readPd<T>({ pd, clock }: PdReader, { path, schema, signal }: PdRead<T>): Promise<Reading<T>> {
  const answer = await pd.ask({ method: 'GET', path, signal });
  const at = instant(clock());
  if (answer.kind === 'unanswered') return gap(answer.reason, { at, source: `pd GET ${path}` });
  const seen = { at, source: `${answer.node} GET ${path}` };
  if (answer.status !== 200) return gap(`${answer.node}: ${answer.status} ${answer.body.trim().slice(0, 120)}`, seen);
  const parsed = parseAs(schema, answer.body);
  return parsed.ok ? known(parsed.value, seen) : gap(`${answer.node}: ${parsed.why}`, seen);
}

/** Text to a value of the schema; never throws. */
export function parseAs<T>(
  schema: z.ZodType<T>,
  text: string,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string } {
  try {
    const result = schema.safeParse(parseLossless(text));
    if (result.success) return { ok: true, value: result.data };
    const [issue] = result.error.issues;
    return { ok: false, why: `unexpected answer at ${issue?.path.join('.') || 'its root'}: ${issue?.message}` };
  } catch {
    return { ok: false, why: `no JSON: ${text.trim().slice(0, 80)}` };
  }
}
