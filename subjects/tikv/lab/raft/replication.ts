import type { Core } from './core.js';
import { Electorate } from './electorate.js';
import { membershipOf } from './membership.js';
import type { Append, Appended, AppendRefused, Heartbeat, HeartbeatReply, InstallSnapshot } from './messages.js';
import type { Progress } from './progress.js';
import { hearLeader } from './roles.js';

/** Taken once: a global is slow to look up in the module context in which the simulation is tested. */
const { max, min } = Math;

export function sendHeartbeats(core: Core): void {
  for (const peer of core.peers.values()) {
    const commit = min(peer.match, core.log.commit);
    core.send({ type: 'heartbeat', to: peer.id, commit, sentAt: core.now });
  }
}

/** Puts what each follower still needs into the outbox. Called once per Ready, so proposals in between share messages. */
export function sendAppends(core: Core): void {
  for (const peer of core.peers.values()) {
    const isCut = peer.state !== 'snapshot' && peer.next <= core.log.base.index;
    if (isCut) sendSnapshot(core, peer);
    if (peer.state === 'probe') probe(core, peer);
    if (peer.state === 'replicate') stream(core, peer);
  }
}

/** Commits what is durable on a majority (of each half, while joint), but by counting only entries of the own term (Raft, section 5.4.2). */
export function advanceCommit(core: Core): void {
  const { durable } = core.log;
  const reached = core.electorate.agreed((id) => (id === core.id ? durable : (core.peers.get(id)?.match ?? 0)));
  if (reached > core.log.commit && core.log.termAt(reached) === core.term) core.log.commitTo(reached);
}

export function onAppend(core: Core, message: Append): void {
  hearLeader(core, message.from);
  // The log does not say who founded the group, so whoever joins waits for a snapshot.
  if (message.prevIndex === 0 && core.electorate.members.length === 0) return;
  const merge = core.log.merge(message);
  const { from: to, prevIndex } = message;
  if (merge.ok) {
    core.log.commitTo(min(message.commit, merge.lastIndex));
    core.send({ type: 'append-reply', to, outcome: 'appended', match: merge.lastIndex });
    return;
  }
  const { index: hintIndex, term: hintTerm } = merge.hint;
  core.send({ type: 'append-reply', to, outcome: 'refused', prevIndex, hintIndex, hintTerm });
}

export function onHeartbeat(core: Core, { from, commit, sentAt }: Heartbeat): void {
  hearLeader(core, from);
  core.log.commitTo(commit);
  core.send({ type: 'heartbeat-reply', to: from, sentAt, applied: core.log.applied });
}

export function onSnapshot(core: Core, { from, snapshot }: InstallSnapshot): void {
  hearLeader(core, from);
  if (snapshot.index > core.log.commit) install(core, snapshot);
  core.send({ type: 'append-reply', to: from, outcome: 'appended', match: core.log.commit });
}

export function onAppendReply(core: Core, message: Appended | AppendRefused): void {
  const peer = core.peers.get(message.from);
  if (!peer) return;
  peer.heardAt = core.now;
  if (message.outcome === 'appended') onAppended(core, peer, message);
  else onRefused(core, peer, message);
}

export function onHeartbeatReply(core: Core, { from, sentAt, applied }: HeartbeatReply): void {
  const peer = core.peers.get(from);
  if (!peer) return;
  peer.heardAt = core.now;
  peer.leaseAt = max(peer.leaseAt, sentAt);
  peer.applied = max(peer.applied, applied);
  peer.probing = false;
  peer.doubted = peer.match < core.log.lastIndex;
  const waited = core.now - peer.snapshotSentAt;
  if (peer.state === 'snapshot' && waited >= core.electionTicks) peer.probe(peer.match + 1);
}

function onAppended(core: Core, peer: Progress, { match }: Appended): void {
  peer.appended(match);
  if (peer.match >= core.log.base.index) peer.replicate();
  advanceCommit(core);
}

function onRefused(core: Core, peer: Progress, { prevIndex, hintIndex, hintTerm }: AppendRefused): void {
  if (peer.state === 'snapshot' || !peer.isCurrentRefusal(prevIndex)) return;
  const index = min(hintIndex, prevIndex - 1);
  peer.probe(core.log.agreement({ index, term: hintTerm }).index + 1);
}

function install(core: Core, snapshot: InstallSnapshot['snapshot']): void {
  // The log already holds all of it: keep the entries behind it.
  if (core.log.termAt(snapshot.index) === snapshot.term) {
    core.log.commitTo(snapshot.index);
    return;
  }
  core.log.restore(snapshot);
  const membership = membershipOf(snapshot);
  core.memberships = [{ index: snapshot.index, membership }];
  core.electorate = new Electorate(membership);
  core.pending = { kind: 'install', snapshot };
}

function probe(core: Core, peer: Progress): void {
  if (peer.probing) return;
  sendAppend(core, peer);
  peer.probing = true;
}

function stream(core: Core, peer: Progress): void {
  while (peer.next <= core.log.lastIndex && peer.hasRoom) peer.next += sendAppend(core, peer);
  if (peer.doubted || peer.commitSent < core.log.commit) sendAppend(core, peer);
}

/** Returns the number of entries sent; none if the follower's window is full. */
function sendAppend(core: Core, peer: Progress): number {
  const { log } = core;
  const prevIndex = peer.next - 1;
  const limit = peer.hasRoom ? core.maxEntriesPerMessage : 0;
  const entries = log.slice({ from: peer.next, to: log.lastIndex, limit });
  const prevTerm = log.termAt(prevIndex) ?? 0;
  core.send({ type: 'append', to: peer.id, prevIndex, prevTerm, entries, commit: log.commit });
  peer.commitSent = log.commit;
  peer.doubted = false;
  return entries.length;
}

function sendSnapshot(core: Core, peer: Progress): void {
  if (!core.log.snapshot) throw new Error(`the log starts at ${core.log.base.index} without a snapshot`);
  core.send({ type: 'snapshot', to: peer.id, snapshot: core.log.snapshot });
  peer.awaitSnapshot(core.now);
}
