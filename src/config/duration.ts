import ms from 'ms';
import * as z from 'zod';

const EXPECTED = 'must be a duration like `30s` or `1h`';

/** A duration in words, as milliseconds: `90s`, `1h`, `1.5 d`. A bare number is refused: nobody knows its unit. */
export const Duration = z.string({ error: EXPECTED }).transform((text, context) => {
  const value = parseDuration(text);
  if (value !== null) return value;
  context.addIssue({ code: 'custom', message: EXPECTED, input: text });
  return z.NEVER;
});

/** Milliseconds, or `null` when it is no positive duration with a unit. */
export function parseDuration(text: string): number | null {
  if (!/^[0-9]+(?:\.[0-9]+)? ?(?:ms|s|m|h|d)$/.test(text)) return null;
  const value = ms(text as ms.StringValue);
  return value > 0 ? value : null;
}
