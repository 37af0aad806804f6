import { Core } from './core.js';
import {
  learnCommit,
  onPreVote,
  onPreVoteReply,
  onTimeoutNow,
  onVote,
  onVoteReply,
  startPreVote,
  tickElection,
} from './election.js';
import { hasActiveQuorum, isLeaseValid, isPromised } from './lease.js';
import type {
  ChangeResult,
  PeerProgress,
  ProposeResult,
  RaftMember,
  RaftOptions,
  Ready,
  Role,
  TransferResult,
} from './member.js';
import type { Message } from './messages.js';
import { finishReady, takeReady } from './outputs.js';
import { membershipAt, proposeChange } from './reconfigure.js';
import { onAppend, onAppendReply, onHeartbeat, onHeartbeatReply, onSnapshot, sendHeartbeats } from './replication.js';
import { appendOwn, becomeFollower } from './roles.js';
import { continueTransfer, expireTransfer, startTransfer } from './transfer.js';
import type { Membership, MembershipChange, NodeId, RaftRestored } from './types.js';

/** One member of one Raft group: pure, no clock, no I/O. What each call means stands at `RaftMember`. */
export class RaftNode implements RaftMember {
  protected readonly core: Core;

  /** Throws `RangeError` on impossible options, `Error` if the restored log ends before its commit index. */
  constructor(options: RaftOptions, restored: RaftRestored) {
    this.core = new Core(options, restored);
  }

  get id(): NodeId {
    return this.core.id;
  }

  get role(): Role {
    return this.core.role;
  }

  get leader(): NodeId | null {
    return this.core.leader;
  }

  get term(): number {
    return this.core.term;
  }

  get commitIndex(): number {
    return this.core.log.commit;
  }

  get appliedIndex(): number {
    return this.core.log.applied;
  }

  get lastIndex(): number {
    return this.core.log.lastIndex;
  }

  get snapshotIndex(): number {
    return this.core.log.snapshot?.index ?? 0;
  }

  get truncatedIndex(): number {
    return this.core.log.base.index;
  }

  get membership(): Membership {
    return this.core.electorate.membership;
  }

  tick(): void {
    this.core.now += 1;
    if (this.core.role === 'leader') tickLeader(this.core);
    else tickElection(this.core);
  }

  step(message: Message): void {
    const { core } = this;
    // Who is a stranger here may be a member by a change that has not come through yet: only what is asked for counts.
    if (message.to !== core.id || message.from === core.id) return;
    if (message.type === 'vote' && !message.handover && isPromised(core)) return;
    if (message.term > core.term && !asksOnly(message)) becomeFollower(core, { term: message.term, leader: null });
    if (message.term < core.term) answerOutdated(core, message);
    else handle(core, message);
  }

  propose(data: string): ProposeResult {
    if (data === '') throw new RangeError('an entry without data is reserved for the no-op of a leader');
    const { core } = this;
    if (core.role !== 'leader') return { ok: false, leader: core.leader };
    if (core.transfer) return { ok: false, leader: null };
    return { ok: true, index: appendOwn(core, data), term: core.term };
  }

  proposeChange(change: MembershipChange): ChangeResult {
    return proposeChange(this.core, change);
  }

  transferLeader(to: NodeId): TransferResult {
    return startTransfer(this.core, to);
  }

  ready(): Ready | null {
    return takeReady(this.core);
  }

  advance(): void {
    finishReady(this.core);
  }

  /** Throws `RangeError` if `upTo` is not applied yet. Does nothing if a snapshot that new exists. */
  compact(upTo: number, data: string): void {
    const { log, trailingEntries } = this.core;
    if (upTo > log.applied) throw new RangeError(`cannot compact to ${upTo}: applied is ${log.applied}`);
    if (upTo <= this.snapshotIndex) return;
    const snapshot = { index: upTo, term: log.termAt(upTo) ?? 0, ...membershipAt(this.core, upTo), data };
    log.compact(snapshot, trailingEntries);
    this.core.pending = { kind: 'own', snapshot };
  }

  reportUnreachable(peer: NodeId): void {
    const progress = this.core.peers.get(peer);
    // A probe or snapshot that was lost is repeated by itself; reports about it would repeat it without end.
    if (progress?.state === 'replicate') progress.probe(progress.match + 1);
  }

  campaign(): void {
    if (!isPromised(this.core) && this.core.role !== 'leader') startPreVote(this.core);
  }

  leaseValid(): boolean {
    return isLeaseValid(this.core);
  }

  readIndex(): number | null {
    return isLeaseValid(this.core) ? this.core.log.commit : null;
  }

  progress(): Map<NodeId, PeerProgress> {
    return new Map([...this.core.peers].map(([id, peer]) => [id, peer.view(this.core)]));
  }
}

function tickLeader(core: Core): void {
  core.elapsed += 1;
  if (!hasActiveQuorum(core)) {
    becomeFollower(core, { term: core.term, leader: null });
    return;
  }
  expireTransfer(core);
  if (core.elapsed % core.heartbeatTicks === 0) sendHeartbeats(core);
}

/** A question about a future term does not bring that term about. */
function asksOnly(message: Message): boolean {
  return message.type === 'pre-vote' || (message.type === 'pre-vote-reply' && message.granted);
}

function answerOutdated(core: Core, message: Message): void {
  const { from: to, type } = message;
  const { committed } = core.log;
  if (type === 'pre-vote') core.send({ type: 'pre-vote-reply', to, granted: false, ...committed });
  else if (type === 'vote') core.send({ type: 'vote-reply', to, granted: false, ...committed });
  else if (type === 'append' || type === 'heartbeat' || type === 'snapshot') core.send({ type: 'outdated', to });
}

function handle(core: Core, message: Message): void {
  if ('commitTerm' in message) learnCommit(core, message);
  switch (message.type) {
    case 'pre-vote':
      onPreVote(core, message);
      break;
    case 'pre-vote-reply':
      onPreVoteReply(core, message);
      break;
    case 'vote':
      onVote(core, message);
      break;
    case 'vote-reply':
      onVoteReply(core, message);
      break;
    case 'append':
      onAppend(core, message);
      break;
    case 'append-reply':
      onAppendReply(core, message);
      continueTransfer(core, message.from);
      break;
    case 'heartbeat':
      onHeartbeat(core, message);
      break;
    case 'heartbeat-reply':
      onHeartbeatReply(core, message);
      continueTransfer(core, message.from);
      break;
    case 'snapshot':
      onSnapshot(core, message);
      break;
    case 'timeout-now':
      onTimeoutNow(core, message);
      break;
    case 'outdated':
      // Its term has been taken over in `step`; there is nothing else in it.
      break;
  }
}
