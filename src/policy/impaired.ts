import type { Target } from '../domain/ids.js';
import type { QuorumPicture } from './quorum-picture.js';
import type { Influence } from './row.js';

/** A member that is not in order. */
export interface Impaired {
  readonly id: Target;
  readonly words: string;
  /** `false`: only its liveness is not known. */
  readonly certain: boolean;
}

/** The members that an influence touches or takes away. */
export function actedOn({ members }: QuorumPicture, { touches, takesAway }: Influence): Target[] {
  const named = new Set([...touches, ...takesAway]);
  return members.filter(({ id }) => named.has(id)).map(({ id }) => id);
}

/** Members that are not in order, apart from `acted`; sorted by name. */
export function impairedElsewhere({ members }: QuorumPicture, acted: readonly Target[]): Impaired[] {
  return members
    .filter(({ id, alive, impaired }) => !acted.includes(id) && (impaired !== null || alive !== 'yes'))
    .map(({ id, alive, impaired }) => ({
      id,
      words: impaired ?? (alive === 'no' ? 'not alive' : 'perhaps not alive'),
      certain: impaired !== null || alive === 'no',
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The whole, as `Target` names it. */
const WHOLE = 'cluster';

/**
 * Does `target` lie within `outer`? A thing lies within itself, everything within the whole, and a member within a
 * group if it votes in no other (a PD member lies within `pd`; a store does not lie within one of its regions).
 */
export function liesWithin(target: Target, outer: Target, { groups }: QuorumPicture): boolean {
  if (target === outer || outer === WHOLE) return true;
  const votesIn = groups.filter(({ voters }) => voters.includes(target));
  return votesIn.length > 0 && votesIn.every(({ id }) => id === outer);
}
