/** What PD knows of stores and regions. Ids are plain numbers: PD hands them out from 1 on, far below 2^53. */

/** `metapb.StoreState`: what PD decided about a store, not whether it is alive. */
export type StoreState = 'Up' | 'Offline' | 'Tombstone';

/** `metapb.NodeState`: the life of a store, from joining to gone. */
export type NodeState = 'Preparing' | 'Serving' | 'Removing' | 'Removed';

export interface StoreLabel {
  readonly key: string;
  readonly value: string;
}

/** A store as it registered itself, and as PD keeps it on disk. */
export interface StoreMeta {
  readonly id: number;
  readonly address: string;
  readonly state: StoreState;
  readonly labels: readonly StoreLabel[];
  readonly version: string;
  readonly peerAddress: string;
  readonly statusAddress: string;
  readonly gitHash: string;
  /** Unix seconds. */
  readonly startTimestamp: number;
  readonly deployPath: string;
  /** Unix nanoseconds in decimal, as of the last time that it was written to disk; `'0'` for a store never heard of. */
  readonly lastHeartbeatNs: string;
  readonly nodeState: NodeState;
  /** Removed with force: PD takes its data for lost, and never takes the store back. */
  readonly physicallyDestroyed?: true;
}

/** Peers per minute that may be added to or removed from a store (PD: `store-limit`). */
export interface StoreLimit {
  readonly 'add-peer': number;
  readonly 'remove-peer': number;
}

/** A store's share of leaders and regions: its counts are divided by these before they are balanced. */
export interface StoreWeight {
  readonly leader: number;
  readonly region: number;
}

/** What a store says of itself in a heartbeat. Sizes in bytes. */
export interface StoreStats {
  readonly capacity: number;
  readonly available: number;
  readonly usedSize: number;
  readonly sendingSnapCount: number;
  readonly receivingSnapCount: number;
  /** 1 is good, 80 and more is slow; 0 is unknown. */
  readonly slowScore: number;
  /** What this store thinks of its links to others, by their ids, 1 to 100; links that are good (1) are left out. */
  readonly networkSlowScores: Readonly<Record<string, number>>;
  readonly isBusy: boolean;
  /** It is about to stop in good order, and wants to be rid of its leaders. */
  readonly isStopping: boolean;
}

export type PeerRole = 'Voter' | 'Learner' | 'IncomingVoter' | 'DemotingVoter';

export interface Peer {
  readonly id: number;
  readonly storeId: number;
  readonly role: PeerRole;
}

export interface PeerStats {
  readonly peer: Peer;
  readonly downSeconds: number;
}

export interface Region {
  readonly id: number;
  /** Upper-case hex, so that text order is key order; `''` at both ends of the key space. */
  readonly startKey: string;
  readonly endKey: string;
  readonly epoch: { readonly confVer: number; readonly version: number };
  readonly peers: readonly Peer[];
}

/** A region heartbeat, and what the cache keeps of it. Flow is per heartbeat interval. */
export interface RegionReport {
  readonly region: Region;
  /** Absent while no leader reported since PD loaded the region from disk. */
  readonly leader: Peer | null;
  /** 0: the sender does not say. */
  readonly term: number;
  readonly downPeers: readonly PeerStats[];
  readonly pendingPeers: readonly Peer[];
  readonly writtenBytes: number;
  readonly readBytes: number;
  readonly writtenKeys: number;
  readonly readKeys: number;
  /** MiB; 0 is unknown, an empty region is 1. */
  readonly approximateSize: number;
  readonly approximateKeys: number;
}

/** A report of a region of which nothing but its place is known, as after loading it from disk. */
export function bareReport(region: Region): RegionReport {
  return {
    region,
    leader: null,
    term: 0,
    downPeers: [],
    pendingPeers: [],
    writtenBytes: 0,
    readBytes: 0,
    writtenKeys: 0,
    readKeys: 0,
    approximateSize: 0,
    approximateKeys: 0,
  };
}
