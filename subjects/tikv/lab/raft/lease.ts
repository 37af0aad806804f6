import type { Core } from './core.js';

/** Did a majority, this leader included, answer within `electionTicks`? Without that a leader steps down. */
export function hasActiveQuorum(core: Core): boolean {
  const heard = [...core.peers.values()].map((peer) => peer.heardAt);
  return core.now - core.majority([core.now, ...heard]) < core.electionTicks;
}

/** Must this member refuse to elect anyone, since a leader may hold a lease that counts on it? */
export function isPromised(core: Core): boolean {
  return core.role === 'leader' ? hasActiveQuorum(core) : core.sinceLeader < core.electionTicks;
}

/**
 * A majority answered heartbeats that were *sent* less than a lease ago, so all of these members still refuse
 * elections, except one that this leader asked for by a transfer.
 */
export function isLeaseValid(core: Core): boolean {
  if (core.role !== 'leader' || core.transfer !== null) return false;
  if (core.log.commit < core.readsFrom) return false;
  const answered = [...core.peers.values()].map((peer) => peer.leaseAt);
  return core.now - core.majority([core.now, ...answered]) < core.leaseTicks;
}
