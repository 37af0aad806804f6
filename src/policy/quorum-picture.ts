import type { Instant, Target } from '../domain/ids.js';
import type { Verdict } from '../domain/reading.js';

/** Whatever needs a majority of its voters: a region, the PD group, a Redis set. The kernel does not know which. */
export interface Group {
  readonly id: string;
  readonly voters: readonly Target[];
  /** How many live voters it needs. */
  readonly need: number;
  /** Voters that hold no usable copy here although their process lives: pending peers. Learners are no voters at all. */
  readonly behind: readonly Target[];
}

/** A process that can be taken away or brought back. */
export interface Member {
  readonly id: Target;
  /** Other names by which a call may mean it, such as an id in a path. Absent: none. */
  readonly aka?: readonly Target[];
  /** From a fresh heartbeat *and* our own witness; `unknown` when either is missing or they disagree. */
  readonly alive: Verdict;
  /** Not Up, silent for more than one heartbeat, paused, or being removed; the words say which. `null` = in order. */
  readonly impaired: string | null;
}

/** The facts the quorum kernel rules on. */
export interface QuorumPicture {
  readonly observedAt: Instant;
  readonly groups: readonly Group[];
  readonly members: readonly Member[];
  /** Why the picture cannot be trusted to be whole (`PD unreadable: ...`); `null` when it can. */
  readonly gap: string | null;
}
