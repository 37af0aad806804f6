import { between, type Instant, instant } from './ids.js';

/** One rung of the escalation chain: who is told, by name, when nobody answered for so long. */
export interface Rung {
  /** Since the ticket began to wait. */
  readonly afterMs: number;
  /** Names of targets in medic.yaml; they are told whatever else they listen to. */
  readonly tell: readonly string[];
}

/** What happens, and when, if nobody answers. */
export type Moment =
  | { readonly what: 'remind' | 'expire'; readonly at: Instant }
  | { readonly what: 'tell'; readonly at: Instant; readonly who: readonly string[] };

export interface Waiting {
  /** When it began to wait. */
  readonly since: Instant;
  readonly remindAt: Instant;
  /** `null`: it waits as long as it takes. */
  readonly expiresAt: Instant | null;
  /** Rungs that were not told yet. */
  readonly chain: readonly Rung[];
}

/** The next reminder, every rung that is left and the expiry, the earliest first. Nothing comes after the expiry. */
export function momentsAhead({ since, remindAt, expiresAt, chain }: Waiting): readonly Moment[] {
  const moments: readonly Moment[] = [
    ...(expiresAt ? [{ what: 'expire', at: expiresAt } as const] : []),
    ...chain.map(({ afterMs, tell }) => ({ what: 'tell', at: later(since, afterMs), who: tell }) as const),
    { what: 'remind', at: remindAt },
  ];
  const inTime = moments.filter(({ what, at }) => what === 'expire' || !expiresAt || between(at, expiresAt) > 0);
  return [...inTime].sort((a, b) => between(b.at, a.at));
}

/** The instant so many milliseconds after another. */
export const later = (at: Instant, ms: number): Instant => instant(Date.parse(at) + ms);
