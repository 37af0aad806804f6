import type { ClusterTimes } from '../../profiles.js';
import type { Member } from './members.js';
import type { Pauses } from './pauses.js';
import type { RegionCache } from './regions.js';
import type { ScheduleView } from './schedule/schedule-view.js';
import type { PdState } from './state.js';
import type { StoreHeartbeats } from './stores.js';

/** What one member's Raft core knows, for `/metrics` and etcd's own paths. */
export interface RaftView {
  readonly isLeader: boolean;
  /** The member that leads the Raft group (etcd's leader), null while there is none. */
  readonly leader: Member | null;
  readonly term: number;
  readonly commitIndex: number;
  readonly appliedIndex: number;
  readonly leaderChanges: number;
}

/** What the process itself can say. */
export interface ProcessView {
  /** Unix seconds, fractional. */
  readonly startedAt: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly dataDir: string;
}

/**
 * Everything an answer may depend on, at one moment. Answers are pure functions of it, so they can be asked in virtual
 * time, with the clock standing wherever a recording was made.
 */
export interface PdView {
  readonly nowNs: bigint;
  readonly times: ClusterTimes;
  readonly self: Member;
  /** In etcd's order. */
  readonly members: readonly Member[];
  readonly raft: RaftView;
  /** PD's own leader, not etcd's: the holder of the leader key, null while none is known. */
  readonly leader: Member | null;
  /** Does this member serve as PD's leader now? */
  readonly isLeader: boolean;
  readonly state: PdState;
  /** The cluster version as this member read it when the present leader came; followers do not follow it. */
  readonly knownClusterVersion: string;
  readonly heartbeats: StoreHeartbeats;
  readonly regions: RegionCache;
  /** What somebody paused under this leader. */
  readonly pauses: Pauses;
  /** What this leader has under way. */
  readonly schedule: ScheduleView;
  /** Unix ms of the last timestamp handed out by this leader. */
  readonly tsoMs: number;
  readonly regionHeartbeats: ReadonlyMap<number, RegionHeartbeatCount>;
  readonly process: ProcessView;
  /** Who answered a ping just now, by name. Asked for only by the routes that show it. */
  readonly reachable: ReadonlySet<string>;
}

/** Region heartbeats of one store since this leader began. */
export interface RegionHeartbeatCount {
  readonly received: number;
  readonly accepted: number;
  readonly bound: number;
}
