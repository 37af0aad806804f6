import type { Judged } from '../../protocol.js';

export const yes = (reason: string): Judged => ({ verdict: 'yes', reason });
export const no = (reason: string): Judged => ({ verdict: 'no', reason });
export const unknown = (reason: string): Judged => ({ verdict: 'unknown', reason });

/** All of them: one `no` makes it `no`, one `unknown` makes a yes unknown. The reasons are those that decided. */
export function allOf(...parts: readonly Judged[]): Judged {
  const decides = (['no', 'unknown', 'yes'] as const).find((verdict) => parts.some((part) => part.verdict === verdict));
  const verdict = decides ?? 'unknown';
  const reasons = parts.filter((part) => part.verdict === verdict).map(({ reason }) => reason);
  return { verdict, reason: [...new Set(reasons)].join('; ') || 'nothing was looked at' };
}
