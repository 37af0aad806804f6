import type { Message } from './messages.js';
import type { Entry, HardState, Installed, Membership, MembershipChange, NodeId, Snapshot } from './types.js';

/* What the Raft core takes and gives. It is pure: an adapter owns the clock, the disk, the network and the state machine. */

export interface RaftOptions {
  id: NodeId;
  /**
   * The voters with which the group was founded, `id` among them; empty for a member that joins a running group. What
   * the disk knows goes before it. A group whose members are to change must be founded with a snapshot (at an index
   * above 0) on every founder: the founding voters stand in no log entry, so only a snapshot tells them to who joins.
   */
  voters: NodeId[];
  /** A follower calls an election after n to 2n ticks of silence, drawn anew each time. At least 3, and more than `heartbeatTicks`. */
  electionTicks: number;
  heartbeatTicks: number;
  /** Uniform in [0, 1), seeded in tests. */
  random: () => number;
  /** Default 64. */
  maxEntriesPerMessage?: number;
  /** Entries kept in memory behind a snapshot, so a follower slightly behind needs no snapshot. Not persisted. Default 64. */
  trailingEntries?: number;
  /** Upper bound on fast/slow tick rates between two members, which shortens the lease. Default 1.1. */
  maxClockDrift?: number;
}

/**
 * Work for the adapter, in this order: persist (`snapshot`, `compacted`, `entries`, `hardState`; fsync if `mustSync`),
 * send `messages`, restore `snapshot` into the state machine, apply `committed`, call `advance()`. `step`, `tick` and
 * `propose` may be called in between; the next `ready()` returns null until `advance()`.
 */
export interface Ready {
  /** Present if it changed. */
  hardState?: HardState;
  /** Append to the log; what the log holds from `entries[0].index` on is replaced. */
  entries: Entry[];
  /** From the leader: replaces the whole log and the state machine. */
  snapshot?: Snapshot;
  /** Own snapshot made by `compact`: replaces the log up to its index; the state machine is left alone. */
  compacted?: Snapshot;
  /** Send only after the above is durable. */
  messages: Message[];
  /** Apply in order, after persisting and after restoring `snapshot`. Skip `data === ''`. */
  committed: Entry[];
  /** For each of `committed` with a `change`: what it makes of the group. In force here from `advance()` on. */
  changes: Installed[];
  /**
   * False if losing this at a power cut is harmless (only the commit index moved, or nothing to persist): write, no
   * fsync. A commit that brings a change of members into force is not harmless: who was removed is gone afterwards.
   */
  mustSync: boolean;
}

export type Role = 'follower' | 'pre-candidate' | 'candidate' | 'leader';

/** `probe`: finding where the logs meet, one message at a time. `replicate`: streaming. `snapshot`: one is on its way. */
export type ReplicationState = 'probe' | 'replicate' | 'snapshot';

/** A leader's view of one other member, voter or learner. */
export interface PeerProgress {
  /** Highest index known to be on the peer; 0 when a new leader has not heard from it. */
  match: number;
  next: number;
  /** Highest index that the peer said it had applied; 0 when a new leader has not heard from it. */
  applied: number;
  /** An answer came within `electionTicks`. */
  recentActive: boolean;
  state: ReplicationState;
}

/** `leader` null: unknown for now (no leader, or a transfer is under way); ask again later. */
export type ProposeResult = { ok: true; index: number; term: number } | { ok: false; leader: NodeId | null };

export type TransferResult =
  | { ok: true }
  | { ok: false; reason: 'not-leader' | 'already-leader' | 'unknown-member' | 'not-voter' | 'transfer-in-progress' };

/**
 * Why a change cannot be made of the present configuration. `joint`: leave it first. `not-joint`: nothing to leave.
 * `no-effect`: a member already is what a step makes of it. `repeated-member`: two steps for one. `no-voter-left`.
 */
export type ChangeRefusal = 'joint' | 'not-joint' | 'no-effect' | 'repeated-member' | 'no-voter-left';

/**
 * `not-ready`: no entry of this leader's term is committed, or an earlier change may not be applied yet; ask again.
 * `no-snapshot`: the log goes back to the founding, see `RaftOptions.voters`.
 */
export type ChangeResult =
  | { ok: true; index: number; term: number }
  | { ok: false; reason: 'not-leader' | 'transfer-in-progress' | 'not-ready' | 'no-snapshot' | ChangeRefusal };

/**
 * The surface of `RaftNode` (node.ts), which is `new RaftNode(options, restored)`.
 *
 * Call `tick()` by a monotonic clock and catch up with all missed ticks after a pause (SIGSTOP, a busy loop)
 * *before* `step`, `leaseValid` or `readIndex`: a leader that slept must not believe in its old lease.
 */
export interface RaftMember {
  readonly id: NodeId;
  readonly role: Role;
  readonly leader: NodeId | null;
  readonly term: number;
  readonly commitIndex: number;
  /** Highest index covered by an `advance()`d Ready. */
  readonly appliedIndex: number;
  readonly lastIndex: number;
  /** Index of the newest snapshot, 0 without one. */
  readonly snapshotIndex: number;
  /** The log holds nothing up to here; a peer whose match is below it needs a snapshot and counts as pending for TiKV. */
  readonly truncatedIndex: number;
  /** In force here: of the last applied change or installed snapshot. Members behind are one or more changes behind. */
  readonly membership: Membership;
  tick(): void;
  step(message: Message): void;
  /** An entry is acknowledged when it comes back in `committed` with the returned index *and* term. Throws on `''`. */
  propose(data: string): ProposeResult;
  /**
   * Changes the group. It is done when it comes back in `committed` with the returned index and term, and `changes` of
   * that Ready says what the group is now. One at a time: the next is refused until this one is applied here.
   *
   * A leader that is no voter any more steps down when it applies that, having told the others. Others may not know yet
   * and still need the vote of a member that was removed: let it run until `progress()` shows that everybody who stays
   * has applied its removal, and never start another member under its name.
   */
  proposeChange(change: MembershipChange): ChangeResult;
  /** To a voter that stays one: not to a learner, nor to a voter of the old half only. */
  transferLeader(to: NodeId): TransferResult;
  /** Null if there is nothing to do or the last Ready is not advanced yet. */
  ready(): Ready | null;
  advance(): void;
  /** `data` is the applied state at `upTo`, which must be applied. Truncates the log; the next Ready holds it in `compacted`. */
  compact(upTo: number, data: string): void;
  /** The transport lost messages to `peer`. */
  reportUnreachable(peer: NodeId): void;
  /** Calls an election now (with pre-vote). Ignored by a leader and while the lease of a leader may still hold. */
  campaign(): void;
  /** Leader with a live lease: no other leader can exist now. Not enough for a read, see `readIndex`. */
  leaseValid(): boolean;
  /** Serve a read from the state machine once it has applied this index; null: not possible here and now. */
  readIndex(): number | null;
  /** Empty unless leader. */
  progress(): Map<NodeId, PeerProgress>;
}
