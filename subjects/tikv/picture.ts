import type { Instant } from '../../src/domain/ids.js';
import type { Reading } from '../../src/domain/reading.js';
import type { ProfileName } from './profiles.js';

/** Everything known of a TiKV cluster at one moment. Plain JSON: it is stored as the body of its evidence. */
export interface TikvPicture {
  /** When the looking began; ages are counted to here. */
  readonly at: Instant;
  /** Whose thresholds apply. */
  readonly profile: ProfileName;
  readonly vitals: Vitals;
  /** A gap unless it was asked for: asking PD for all regions is too heavy for each sample. */
  readonly placement: Reading<Placement>;
}

/** What each sample asks for. */
export interface Vitals {
  /** One per member of the inventory. */
  readonly pd: readonly PdMember[];
  /** As the PD leader tells it; a gap when no member could ask a leader. */
  readonly leadership: Reading<PdLeadership>;
  /** One per store of the inventory, then those that only PD knows. */
  readonly stores: readonly Store[];
  readonly regions: Regions;
  readonly probe: Reading<Probe>;
  readonly scheduling: Scheduling;
  readonly trends: Trends;
}

/** What PD is told to do with leaders and replicas. Each part is a gap of its own where PD does not answer it. */
export interface Scheduling {
  /** Names of the schedulers that exist, paused ones included. */
  readonly schedulers: Reading<readonly string[]>;
  readonly paused: Reading<readonly string[]>;
  readonly limits: Reading<ScheduleLimits>;
  /** Ids of the stores that the evict and grant schedulers hold, by scheduler. */
  readonly held: Reading<Readonly<Record<string, readonly string[]>>>;
}

export interface ScheduleLimits {
  /** PD's `leader-schedule-limit`: transfers of leaders at the same time; 0 stops them, graceful stops included. */
  readonly leaders: number;
  /** PD's `halt-scheduling`. */
  readonly halted: boolean;
  /** PD's `region-schedule-limit` and `replica-schedule-limit`; `null`: PD left it out. */
  readonly regions: number | null;
  readonly replicas: number | null;
  /** Peers that a store may take and give away in a minute, by the store's id. */
  readonly stores: Readonly<Record<string, { readonly 'add-peer': number; readonly 'remove-peer': number }>>;
}

/** What only somebody who goes on watching can tell; gaps at the first look. */
export interface Trends {
  /** Scores that rose under our eyes and stand, or did within a region heartbeat. What was high before is not listed. */
  readonly rises: Reading<readonly ScoreRise[]>;
  /** The most leaders PD counted on each store within the last region heartbeat, under this PD leader. */
  readonly mostLeaders: Reading<Readonly<Record<string, number>>>;
  /** Since when the status port of a store has answered none of our looks; stores that answer are absent. */
  readonly deafSince: Readonly<Record<string, Instant>>;
  /** The same for its client port. */
  readonly shutSince: Readonly<Record<string, Instant>>;
}

/** `network`: how `reporter` finds the network to `about`. `store`: PD's slow_score of a store, which reports it itself. */
export interface ScoreRise {
  readonly kind: 'network' | 'store';
  readonly reporter: string;
  readonly about: string;
  readonly from: number;
  readonly to: number;
  /** When the rise was first seen. */
  readonly since: Instant;
  /** When it was seen to decay; `null` while it stands. */
  readonly fellAt: Instant | null;
}

/** One PD process, asked by our own client for what every member answers by itself. */
export interface PdMember {
  readonly name: string;
  readonly clientUrl: string;
  readonly reach: Reading<Reach>;
  readonly startedAt: Reading<Instant>;
  /** etcd's `/health`: true only while this member sees a quorum. PD's own `/health` does not tell that. */
  readonly quorum: Reading<EtcdHealth>;
  readonly witness: Reading<Witness>;
}

export interface EtcdHealth {
  readonly healthy: boolean;
  /** Empty when healthy; `RAFT NO LEADER`. */
  readonly reason: string;
}

/** Who leads PD, and since when we know it. */
export interface PdLeadership {
  readonly leader: string | null;
  /** Differs from `leader` for moments only; longer is a fault (pd#10746). */
  readonly etcdLeader: string | null;
  /** Names of the members that PD lists. */
  readonly members: readonly string[];
  /** When we first saw this process as the leader. */
  readonly seenSince: Instant;
  /** `change`: we saw another one before, so its memory is as young as that. `first-look`: its memory may be old. */
  readonly seenBy: 'change' | 'first-look';
}

export interface Store {
  readonly name: string;
  /** PD's opinion, from the store's heartbeats. `null`: PD does not list it. */
  readonly pd: Reading<PdStore | null>;
  /** Our own client's look at its status port. */
  readonly reach: Reading<Reach>;
  /** Our own client's look at the port that serves clients and peers. */
  readonly clientPort: Reading<ClientPort>;
  readonly witness: Reading<Witness>;
}

/** How a port met a connection; nothing is asked over it. A frozen process has an open port, too: its kernel answers. */
export type ClientPort =
  | { readonly kind: 'open' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'silent'; readonly afterMs: number }
  | { readonly kind: 'broken'; readonly why: string };

/** How a port met one request over a fresh connection. */
export type Reach =
  | { readonly kind: 'answers'; readonly status: number; readonly ms: number }
  /** Nobody listens: no process, or one that just starts. */
  | { readonly kind: 'refused' }
  /** Nothing came in time. `connected`: the kernel took the connection, so a process holds the port. */
  | { readonly kind: 'silent'; readonly afterMs: number; readonly connected: boolean }
  /** Anything else that is no answer: reset, unreachable, not HTTP. */
  | { readonly kind: 'broken'; readonly why: string };

export type StoreState = 'Up' | 'Disconnected' | 'Down' | 'Offline' | 'Tombstone';

/** A store as PD's `/stores` shows it. */
export interface PdStore {
  /** Decimal: ids are 64 bits wide. */
  readonly id: string;
  readonly state: StoreState;
  /** `null`: never, since it registered. */
  readonly lastHeartbeat: Instant | null;
  readonly startedAt: Instant | null;
  readonly leaders: number;
  readonly regions: number;
  /** What PD balances: by default the count of leaders, and the size of regions, for the store's weight and free space. */
  readonly leaderScore: number;
  readonly regionScore: number;
  /** What the scores are divided by; absent where PD did not tell, and in evidence of 0.1. */
  readonly weights?: StoreWeights;
  readonly pendingPeers: number;
  /** 1 to 100; `null` until the leader itself has had a heartbeat of this store: PD keeps it in memory only. */
  readonly slowScore: number | null;
  /** By the name of the store that is reported on: 2 to 100. Outlives the trouble by minutes. */
  readonly networkSlowScores: Readonly<Record<string, number>>;
  /** As PD writes them: `192.7GiB`. */
  readonly available: string;
  readonly capacity: string;
}

/** 1 and 1 as shipped. PD gives a store of leader weight 0 no leaders. */
export interface StoreWeights {
  readonly leader: number;
  readonly region: number;
}

/** Counts that PD keeps; each as old as the last heartbeat of the regions' leaders. */
export interface Regions {
  readonly total: Reading<number>;
  /** Regions whose leader PD knows. */
  readonly withLeader: Reading<number>;
  readonly pendingPeer: Reading<number>;
  readonly downPeer: Reading<number>;
  readonly missingPeer: Reading<number>;
}

/** Service as a client sees it: one key per region, written and read again and again. */
export interface Probe {
  readonly regionsOk: number;
  readonly regionsFailed: number;
  /** Kind of failure to the number of regions that ended with it last. */
  readonly errors: Readonly<Record<string, number>>;
  /** Of the last good write and read of each region; `null` when there is none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** Median of the last good write and read by the store that served them; stores that served none are absent. */
  readonly byStore: Readonly<Record<string, number>>;
}

/** The host's own word on one node's process, apart from PD's opinion. */
export interface Witness {
  readonly state: 'running' | 'paused' | 'exited';
  /** The present end was asked for: not *died*. */
  readonly stoppedByRequest: boolean;
  readonly pid: number | null;
  /** Start of the present or last process. */
  readonly startedAt: Instant;
  readonly finishedAt: Instant | null;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Process starts so far. */
  readonly starts: number;
  /** Its data folder holds something. Absent: the host does not tell. */
  readonly hasData?: boolean;
}

/** Who holds what. */
export interface Placement {
  readonly regions: readonly PlacedRegion[];
}

/** Peers by the name of their store. */
export interface PlacedRegion {
  readonly id: string;
  readonly voters: readonly string[];
  readonly learners: readonly string[];
  /** `null`: PD knows no leader. */
  readonly leader: string | null;
  readonly pending: readonly string[];
  readonly down: readonly string[];
}
