import type { Core } from './core.js';
import { Electorate } from './electorate.js';
import type { ChangeResult } from './member.js';
import { changeMembership, membershipOf } from './membership.js';
import { sendAppends } from './replication.js';
import { appendOwn, becomeFollower, trackPeers } from './roles.js';
import { cancelTransfer } from './transfer.js';
import type { Entry, Installed, Membership, MembershipChange } from './types.js';

/** Puts a change into the leader's log. */
export function proposeChange(core: Core, { steps, data }: MembershipChange): ChangeResult {
  const { log, term } = core;
  if (core.role !== 'leader') return { ok: false, reason: 'not-leader' };
  if (core.transfer) return { ok: false, reason: 'transfer-in-progress' };
  if (log.commit < core.readsFrom || log.applied < core.changesFrom) return { ok: false, reason: 'not-ready' };
  if (log.base.index === 0) return { ok: false, reason: 'no-snapshot' };
  const outcome = changeMembership(core.electorate.membership, steps);
  if (!outcome.ok) return outcome;
  core.changesFrom = appendOwn(core, data, steps);
  return { ok: true, index: core.changesFrom, term };
}

/** What the changes among `committed` make of the group, one by one. Throws on one that no leader can have proposed. */
export function changesIn(core: Core, committed: readonly Entry[]): Installed[] {
  const changes: Installed[] = [];
  let { membership } = core.electorate;
  for (const { index, change } of committed) {
    if (!change) continue;
    const outcome = changeMembership(membership, change);
    if (!outcome.ok) throw new Error(`change at ${index} cannot be made: ${outcome.reason}`);
    membership = outcome.membership;
    changes.push({ index, membership });
  }
  return changes;
}

/** Puts an applied change into force, unless a snapshot that came meanwhile holds it already. */
export function adopt(core: Core, change: Installed): void {
  const last = core.memberships.at(-1) ?? core.memberships[0];
  if (change.index <= last.index) return;
  core.memberships.push(change);
  core.electorate = new Electorate(change.membership);
  if (core.role === 'leader') goOnLeading(core);
}

/** The configuration in force at `index`, which is applied and not before the newest snapshot; forgets older ones. */
export function membershipAt(core: Core, index: number): Membership {
  while ((core.memberships[1]?.index ?? Number.POSITIVE_INFINITY) <= index) core.memberships.shift();
  return membershipOf(core.memberships[0].membership);
}

/** Those who have the change but not its commit would miss a leader that just went, so they are told before. */
function goOnLeading(core: Core): void {
  if (!core.isVoter) {
    sendAppends(core);
    becomeFollower(core, { term: core.term, leader: null });
    return;
  }
  trackPeers(core);
  if (core.transfer && !core.electorate.membership.voters.includes(core.transfer.to)) cancelTransfer(core);
}
