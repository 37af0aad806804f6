import type { Target } from '../domain/ids.js';
import type { Classification } from './classify.js';
import type { QuorumPicture } from './quorum-picture.js';
import type { CommandClass } from './row.js';

/**
 * A row knows only what stands in the call, and an API may know a member by another name than the picture. Those that the
 * picture can tell are put in its own words; any other stays a stranger.
 */
export function inOwnNames(found: Classification, { members }: QuorumPicture): Classification {
  const own = new Map(members.flatMap(({ id, aka = [] }) => aka.map((other): [Target, Target] => [other, id])));
  return own.size === 0 ? found : { ...found, worst: renamed(found.worst, own) };
}

function renamed(verdict: CommandClass, own: ReadonlyMap<Target, Target>): CommandClass {
  if (verdict.kind !== 'mutate') return verdict;
  const named = (targets: readonly Target[]) => targets.map((target) => own.get(target) ?? target);
  const { influence } = verdict;
  return {
    ...verdict,
    influence: { ...influence, touches: named(influence.touches), takesAway: named(influence.takesAway) },
  };
}
