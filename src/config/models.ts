import * as z from 'zod';
import type { PriceTable } from '../reasoner/claude/prices.js';
import { Duration } from './duration.js';
import { parseYaml, readConfigText } from './yaml-file.js';

/** Which models think, within which bounds, at which prices. */
export interface Models {
  readonly use: string;
  readonly fallback: string | null;
  /** Failed tries of one turn before the next one takes over. */
  readonly triesEach: number;
  readonly maxTokens: number;
  readonly contextTokens: number;
  readonly callTimeoutMs: number;
  readonly stream: boolean;
  readonly prices: PriceTable;
}

const DAY = 'must be a day like `2026-10-07`';
const Dollars = z.number().min(0);
const Day = z.string({ error: DAY }).regex(/^\d{4}-\d{2}-\d{2}$/, { error: DAY });

const Price = z
  .strictObject({ from: Day, input: Dollars, output: Dollars, cacheWrite: Dollars, cacheRead: Dollars })
  .describe('a price');

const File = z
  .strictObject({
    version: z.literal(1),
    use: z.string().min(1),
    fallback: z.string().min(1).optional(),
    triesEach: z.int().min(1).max(5),
    maxTokens: z.int().min(256).max(64_000),
    contextTokens: z.int().min(8_000),
    callTimeout: Duration,
    stream: z.boolean(),
    models: z.record(z.string(), z.array(Price).min(1).refine(isSorted, { error: 'must be sorted by `from`' })),
  })
  .superRefine(namesPricedModels)
  .describe('the models');

/** Loads `agents/models.yaml`. Throws `MEDIC_CONFIG_*` with file, line and column. */
export async function loadModels(path: string): Promise<Models> {
  const { text } = await readConfigText(path);
  const { version: _, models, fallback, callTimeout, ...rest } = parseYaml({ path, text }, File);
  return { ...rest, fallback: fallback ?? null, callTimeoutMs: callTimeout, prices: models };
}

function isSorted(prices: readonly { readonly from: string }[]): boolean {
  return prices.every((price, i) => i === 0 || (prices[i - 1]?.from ?? '') < price.from);
}

/** A model without a price could not be reserved, so it may not think. */
function namesPricedModels(
  file: { use: string; fallback?: string; models: Record<string, unknown> },
  context: z.RefinementCtx,
): void {
  for (const key of ['use', 'fallback'] as const) {
    const model = file[key];
    if (model !== undefined && !Object.hasOwn(file.models, model))
      context.addIssue({
        code: 'custom',
        path: [key],
        message: 'must be one of `models`, with its price',
        input: model,
      });
  }
}
