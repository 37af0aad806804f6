import type { Core } from './core.js';

/** Did a majority (of each half, while joint) answer within `electionTicks`? Without that a leader steps down. */
export function hasActiveQuorum(core: Core): boolean {
  const heardAt = core.electorate.agreed((id) => (id === core.id ? core.now : (core.peers.get(id)?.heardAt ?? 0)));
  return core.now - heardAt < core.electionTicks;
}

/** Must this member refuse to elect anyone, since a leader may hold a lease that counts on it? */
export function isPromised(core: Core): boolean {
  return core.role === 'leader' ? hasActiveQuorum(core) : core.sinceLeader < core.electionTicks;
}

/**
 * A majority answered heartbeats that were *sent* less than a lease ago, so all of these members still refuse
 * elections, except one that this leader asked for by a transfer. Members whose configuration is one change ahead or
 * behind need a majority that shares a member with this one, and nobody with an older one has a log that can win.
 */
export function isLeaseValid(core: Core): boolean {
  if (core.role !== 'leader' || core.transfer !== null) return false;
  if (core.log.commit < core.readsFrom) return false;
  const never = Number.NEGATIVE_INFINITY;
  const sentAt = core.electorate.agreed((id) => (id === core.id ? core.now : (core.peers.get(id)?.leaseAt ?? never)));
  return core.now - sentAt < core.leaseTicks;
}
