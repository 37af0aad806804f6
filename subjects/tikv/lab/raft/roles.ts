import type { Core } from './core.js';
import { Progress } from './progress.js';
import type { ChangeStep, NodeId } from './types.js';

/** Follows `leader`, or nobody yet, in `term`, which is this member's term or a later one. */
export function becomeFollower(core: Core, { term, leader }: { term: number; leader: NodeId | null }): void {
  // A leader that steps down gave its promise to nobody but itself.
  if (core.role === 'leader') core.sinceLeader = core.electionTicks;
  if (core.role === 'leader' || term > core.term) core.resetTimer();
  if (term > core.term) core.vote = null;
  core.term = term;
  core.role = 'follower';
  core.leader = leader;
  core.handover = false;
  core.votes.clear();
  core.peers.clear();
  core.transfer = null;
}

/** A live leader of this term spoke: follow it, and promise it the lease. Throws if this member leads the same term. */
export function hearLeader(core: Core, leader: NodeId): void {
  if (core.role === 'leader') throw new Error(`two leaders in term ${core.term}: ${core.id} and ${leader}`);
  if (core.role !== 'follower') becomeFollower(core, { term: core.term, leader });
  core.leader = leader;
  core.sinceLeader = 0;
  core.resetTimer();
}

export function becomePreCandidate(core: Core): void {
  core.role = 'pre-candidate';
  core.leader = null;
  core.handover = false;
  core.votes = new Map([[core.id, true]]);
  core.resetTimer();
}

export function becomeCandidate(core: Core, { handover }: { handover: boolean }): void {
  core.role = 'candidate';
  core.leader = null;
  core.handover = handover;
  core.term += 1;
  core.vote = core.id;
  core.votes = new Map([[core.id, true]]);
  core.resetTimer();
}

/** Starts the term with a no-op: earlier entries are committed only together with one of the own term (Raft, section 5.4.2). */
export function becomeLeader(core: Core): void {
  core.role = 'leader';
  core.leader = core.id;
  core.elapsed = 0;
  core.votes.clear();
  core.peers.clear();
  trackPeers(core);
  core.changesFrom = core.log.lastIndex;
  appendSeal(core);
}

/** Follows exactly the members of the configuration in force; a new one gets the benefit of the doubt. */
export function trackPeers(core: Core): void {
  const { electorate, now, peers } = core;
  const next = core.log.lastIndex + 1;
  for (const id of peers.keys()) if (!electorate.members.includes(id)) peers.delete(id);
  for (const id of electorate.members) {
    if (id !== core.id && !peers.has(id)) peers.set(id, new Progress({ id, next, now }));
  }
}

/** A no-op of the own term; reads wait until it is committed. */
export function appendSeal(core: Core): void {
  core.readsFrom = appendOwn(core, '');
}

/** Appends to the leader's log; the next Ready writes and sends it. Returns the index. */
export function appendOwn(core: Core, data: string, change?: ChangeStep[]): number {
  const index = core.log.lastIndex + 1;
  core.log.push({ term: core.term, index, data, ...(change && { change }) });
  return index;
}
