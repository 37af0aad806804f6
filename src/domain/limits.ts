/** What one ticket may use, from its agent. Reaching one is a way to `escalated`, never an exception. */
export interface Limits {
  readonly turns: number;
  readonly looks: number;
  readonly acts: number;
  readonly tokens: number;
  readonly usd: number;
  readonly wallMs: number;
}

/** What it has used. Wall time counts from the filing, without the time spent waiting for people. */
export type Spent = Limits;

export const NOTHING_SPENT: Spent = { turns: 0, looks: 0, acts: 0, tokens: 0, usd: 0, wallMs: 0 };

const NAMES = ['turns', 'looks', 'acts', 'tokens', 'usd', 'wallMs'] as const;

/** Never negative. */
export function limitsLeft(limits: Limits, spent: Spent): Limits {
  const left = (name: (typeof NAMES)[number]) => Math.max(0, limits[name] - spent[name]);
  return {
    turns: left('turns'),
    looks: left('looks'),
    acts: left('acts'),
    tokens: left('tokens'),
    usd: left('usd'),
    wallMs: left('wallMs'),
  };
}

/**
 * The limit that forbids another turn, in words; `null` while there is room. Acts are not among them: a ticket that
 * may not act any more can still look and explain. Money and tokens neither while none were ever granted (rules are
 * free).
 */
export function turnLimit(limits: Limits, spent: Spent): string | null {
  const reached = (['turns', 'looks', 'wallMs'] as const).find((name) => spent[name] >= limits[name]);
  if (!reached) return null;
  return reached === 'wallMs'
    ? `the time limit of ${Math.round(limits.wallMs / 60_000)} min is reached`
    : `the limit of ${limits[reached]} ${reached} is reached`;
}
