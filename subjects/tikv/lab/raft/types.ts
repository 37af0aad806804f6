/* What a group of the Raft core is made of: who belongs to it, its log, and what a member keeps. */

/** The adapter's name for one member of a group, e.g. `1001` (a peer of a region) or `pd-0`. */
export type NodeId = string;

/**
 * Who belongs to a group. What is absent is empty, so a group that never changed is `{voters}` alone.
 *
 * While `outgoing` is there the configuration is joint (Raft dissertation, section 4.3): elections, commits and leases
 * need a majority of `voters`, the new half, *and* one of `outgoing`, the old half.
 */
export interface Membership {
  /** A member that joins a running group has none until the leader's first snapshot. */
  voters: NodeId[];
  /** Get log and snapshots. Nobody asks for their votes or counts what they hold. */
  learners?: NodeId[];
  outgoing?: NodeId[];
  /** Voters of the old half that become learners when the joint configuration is left. */
  learnersNext?: NodeId[];
}

/** `add-voter` promotes a learner, `add-learner` demotes a voter. */
export interface ChangeStep {
  kind: 'add-voter' | 'add-learner' | 'remove';
  id: NodeId;
}

/**
 * One step is made at once. Several enter a joint configuration; none at all leaves it (raft-rs: `ConfChangeV2` with an
 * explicit transition, which is what TiKV proposes). A joint configuration is never left by itself.
 */
export interface MembershipChange {
  steps: ChangeStep[];
  /** What else the state machine must know, e.g. on which store a new peer is. */
  data: string;
}

/** The configuration in force from the entry at `index` on. */
export interface Installed {
  index: number;
  membership: Membership;
}

/**
 * One log entry. `data` is opaque text; `''` without `change` is the no-op of a leader and must change nothing when
 * applied. `change`: the steps of a membership change.
 */
export interface Entry {
  term: number;
  index: number;
  data: string;
  change?: ChangeStep[];
}

/** What a member must never forget. `commit` may lag after a crash, `term` and `vote` may not. A new group starts with term 0. */
export interface HardState {
  term: number;
  vote: NodeId | null;
  commit: number;
}

/** The applied state at `index`, with the configuration that was in force there. `data` is opaque text made by the adapter. */
export interface Snapshot extends Membership {
  index: number;
  term: number;
  data: string;
}

/** What the disk gave back. A new group: term 0, vote null, commit = snapshot index or 0, no entries. */
export interface RaftRestored {
  hardState: HardState;
  /** Entries after `snapshot`, without gaps. */
  entries: Entry[];
  snapshot: Snapshot | null;
}
