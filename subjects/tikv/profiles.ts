/**
 * The time tables of DESIGN 11, and the only place where a TiKV threshold is written down.
 *
 * `real` is what PD v8.5 and TiKV v8.5 do by default; `fast` divides every threshold of the cluster by five and is
 * possible only on the stand-in. Every published number names its profile.
 */
export type ProfileName = 'real' | 'fast';

/** Thresholds of the cluster itself, in ms unless the name says otherwise. */
export interface ClusterTimes {
  /** etcd tick inside PD (PD: `tick-interval` 500 ms). */
  readonly pdTickMs: number;
  /** etcd election timeout inside PD (PD: `election-interval` 3 s). */
  readonly pdElectionMs: number;
  /** Life of the PD leader's key (PD: `lease` 5 s). */
  readonly pdLeaseMs: number;
  /** A follower without a known leader waits this long before it answers 503 (PD: 3 s). */
  readonly pdRedirectWaitMs: number;
  /** Distance of two looks whether a member with a higher priority should lead (PD: `leader-priority-check-interval`). */
  readonly pdPriorityCheckMs: number;
  /** Store to PD (TiKV: `pd-store-heartbeat-tick-interval` 10 s). */
  readonly storeHeartbeatMs: number;
  /** Led region to PD when nothing changes (TiKV: `pd-heartbeat-tick-interval` 60 s). */
  readonly regionHeartbeatMs: number;
  /** Silence after which PD calls a store Disconnected (PD: hard-coded 20 s). */
  readonly disconnectedMs: number;
  /** Silence after which PD calls a store Down (PD: `max-store-down-time` 30 min). */
  readonly storeDownMs: number;
  /** A PD that starts cold schedules nothing until its regions have reported, at most so long (PD: 5 min). */
  readonly coldStartMs: number;
  /** Silence after which a region leader reports a peer down (TiKV: `max-peer-down-duration` 10 min). */
  readonly peerDownMs: number;
  /** A store that is told to end waits so long for its leaders to be moved away (TiKV: `graceful-shutdown-timeout` 20 s). */
  readonly gracefulShutdownMs: number;
  /** Raft tick of a region (TiKV: `raft-base-tick-interval` 1 s). */
  readonly raftTickMs: number;
  /** Ticks without a leader before an election, randomised up to twice (TiKV: 10). */
  readonly raftElectionTicks: number;
  /** Ticks between heartbeats of a region leader (TiKV: 2). */
  readonly raftHeartbeatTicks: number;
}

/** How Medic looks at the cluster. */
export interface WatchTimes {
  /** Distance of two samples. */
  readonly sampleMs: number;
  /** Bad samples in a row before a violation is filed. */
  readonly graceSamples: number;
  /** Fresh good samples in a row before a violation is cleared. */
  readonly clearSamples: number;
  /** Deadline of one HTTP request to PD or to a status port. */
  readonly requestMs: number;
  /** Proof: this many healthy samples in a row ... */
  readonly proofSamples: number;
  /** ... spread over at least this window ... */
  readonly proofWindowMs: number;
  /** ... within this time after the act, else the proof is `unknown` or `unhealthy`. */
  readonly proofDeadlineMs: number;
  /** How long a clear must hold before a ticket without any act closes itself. */
  readonly stabilityMs: number;
  /** How long a trial watches after the end of its ticket. */
  readonly holdMs: number;
  /** How long the desk looks for a recurrence after a resolved ticket. */
  readonly recurrenceMs: number;
}

/** Beyond these a picture is shown as remarkable; nothing is filed for them yet. */
export interface RemarkLimits {
  /** 99th percentile of the probe's write and read of one key. */
  readonly probeP99Ms: number;
  /** Most leaders of a store minus fewest: PD leaves differences up to about 10 alone (tolerance 5 x 2 by count). */
  readonly leaderSpread: number;
  /** Available to capacity (PD: `low-space-ratio` 0.8 used). */
  readonly freeRatio: number;
  /** A network_slow_score that rose so far says something (TiKV: 99 or 100 for a link that is cut, 80 is slow to PD). */
  readonly networkScore: number;
  /** A slow_score that rose so far is no wobble (TiKV: 2, 8, 16, 64, 100 at steps of 10 s; 80 is slow to PD). */
  readonly slowScore: number;
  /** Fewer lost leaders than this are everyday balancing (PD moves up to 4 at a time). */
  readonly leaderLoss: number;
  /** A store whose median is below this is not slow, whatever the others do. */
  readonly storeP50Ms: number;
  /** So many times the others' median is not load. */
  readonly slowerThanOthers: number;
}

export interface Profile {
  readonly name: ProfileName;
  readonly cluster: ClusterTimes;
  readonly watch: WatchTimes;
  readonly remark: RemarkLimits;
}

const minutes = (n: number) => n * 60_000;

/** Not times of the cluster, so the same in both. */
const REMARK: RemarkLimits = {
  probeP99Ms: 500,
  leaderSpread: 10,
  freeRatio: 0.2,
  networkScore: 50,
  slowScore: 8,
  leaderLoss: 3,
  storeP50Ms: 100,
  slowerThanOthers: 5,
};

const REAL: Profile = {
  name: 'real',
  cluster: {
    pdTickMs: 500,
    pdElectionMs: 3_000,
    pdLeaseMs: 5_000,
    pdRedirectWaitMs: 3_000,
    pdPriorityCheckMs: 60_000,
    storeHeartbeatMs: 10_000,
    regionHeartbeatMs: 60_000,
    disconnectedMs: 20_000,
    storeDownMs: minutes(30),
    coldStartMs: minutes(5),
    peerDownMs: minutes(10),
    gracefulShutdownMs: 20_000,
    raftTickMs: 1_000,
    raftElectionTicks: 10,
    raftHeartbeatTicks: 2,
  },
  watch: {
    sampleMs: 5_000,
    graceSamples: 3,
    clearSamples: 6,
    requestMs: 3_000,
    proofSamples: 6,
    proofWindowMs: 30_000,
    proofDeadlineMs: 180_000,
    stabilityMs: 60_000,
    holdMs: 120_000,
    recurrenceMs: minutes(10),
  },
  remark: REMARK,
};

/** Raft keeps its tick counts: only the length of a tick shrinks. */
const FAST: Profile = {
  name: 'fast',
  cluster: {
    pdTickMs: 100,
    pdElectionMs: 600,
    pdLeaseMs: 1_000,
    pdRedirectWaitMs: 600,
    pdPriorityCheckMs: 12_000,
    storeHeartbeatMs: 2_000,
    regionHeartbeatMs: 12_000,
    disconnectedMs: 4_000,
    storeDownMs: minutes(6),
    coldStartMs: minutes(1),
    peerDownMs: minutes(2),
    gracefulShutdownMs: 4_000,
    raftTickMs: 200,
    raftElectionTicks: 10,
    raftHeartbeatTicks: 2,
  },
  watch: {
    sampleMs: 1_000,
    graceSamples: 3,
    clearSamples: 6,
    requestMs: 900,
    proofSamples: 6,
    proofWindowMs: 6_000,
    proofDeadlineMs: 45_000,
    stabilityMs: 12_000,
    holdMs: 24_000,
    recurrenceMs: minutes(10),
  },
  remark: REMARK,
};

/** Both time tables by name. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = { real: REAL, fast: FAST };
