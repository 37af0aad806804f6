import type { Entry, NodeId, Snapshot } from './types.js';

/* What members say to each other. */

interface Envelope {
  from: NodeId;
  to: NodeId;
  /** The sender's term; in `pre-vote` and a granted `pre-vote-reply` the term the sender would like to lead. */
  term: number;
}

/** Where a candidate's log ends. Voters refuse a log that ends before their own. */
export interface LogEnd {
  lastIndex: number;
  lastTerm: number;
}

/** An entry that the sender knows to be committed: whoever has it knows then, too. */
export interface CommitPoint {
  commit: number;
  commitTerm: number;
}

/** "Would you vote for me?" Changes no term, so a member that was cut off cannot depose a healthy leader. */
export interface PreVote extends Envelope, LogEnd, CommitPoint {
  type: 'pre-vote';
}

export interface PreVoteReply extends Envelope, CommitPoint {
  type: 'pre-vote-reply';
  granted: boolean;
}

/** `handover`: the leader asked for this election, so voters do not wait for its lease to end. */
export interface Vote extends Envelope, LogEnd, CommitPoint {
  type: 'vote';
  handover: boolean;
}

export interface VoteReply extends Envelope, CommitPoint {
  type: 'vote-reply';
  granted: boolean;
}

/** Entries that follow (`prevIndex`, `prevTerm`), and the leader's commit index. */
export interface Append extends Envelope {
  type: 'append';
  prevIndex: number;
  prevTerm: number;
  entries: Entry[];
  commit: number;
}

/** The follower's log equals the leader's up to and including `match`. */
export interface Appended extends Envelope {
  type: 'append-reply';
  outcome: 'appended';
  match: number;
}

/** No entry at `prevIndex` with the leader's term; the logs may agree at (`hintIndex`, `hintTerm`), not after. */
export interface AppendRefused extends Envelope {
  type: 'append-reply';
  outcome: 'refused';
  prevIndex: number;
  hintIndex: number;
  hintTerm: number;
}

/** `sentAt` is in ticks of the leader and comes back in the reply: a lease counts from the sending, not from the answer. */
export interface Heartbeat extends Envelope {
  type: 'heartbeat';
  commit: number;
  sentAt: number;
}

export interface HeartbeatReply extends Envelope {
  type: 'heartbeat-reply';
  sentAt: number;
  /** How far the sender has applied the log. */
  applied: number;
}

/** For a follower whose next entry the leader no longer has. */
export interface InstallSnapshot extends Envelope {
  type: 'snapshot';
  snapshot: Snapshot;
}

/** "Start an election now", to the target of a transfer whose log ends at `lastIndex`, as the leader's does. */
export interface TimeoutNow extends Envelope {
  type: 'timeout-now';
  lastIndex: number;
}

/** Answer to a leader of an older term: there is a newer one. */
export interface Outdated extends Envelope {
  type: 'outdated';
}

/** Everything members say to each other. Plain JSON; may be lost, repeated, delayed and reordered by the network. */
export type Message =
  | PreVote
  | PreVoteReply
  | Vote
  | VoteReply
  | Append
  | Appended
  | AppendRefused
  | Heartbeat
  | HeartbeatReply
  | InstallSnapshot
  | TimeoutNow
  | Outdated;
