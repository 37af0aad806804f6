import type { ClusterTimes } from '../../profiles.js';
import type { PeerProgress } from '../raft/member.js';
import { blankRestored } from '../raft/restored.js';
import type { RaftStorage, StoredGroup } from '../raft/storage.js';
import type { Addresses } from './address-book.js';
import type { Clock } from './clock.js';
import { type Inspector, startInspector } from './inspector.js';
import type { Log } from './log.js';
import type { StoreMetrics } from './metrics.js';
import { createMultiRaft, type MultiRaft } from './multi-raft.js';
import { peerHealth } from './peer-health.js';
import { peersOnDisk, type StoredPeer } from './peers-on-disk.js';
import { RegionPeer } from './region-peer.js';
import type { RegionReport } from './region-reporter.js';
import { probeTimes } from './times.js';
import { createTransport } from './transport.js';

export interface EngineOptions {
  readonly storeId: number;
  /** What the disk holds, by region id as text. */
  readonly groups: ReadonlyMap<string, StoredGroup>;
  readonly storage: Pick<RaftStorage, 'save'>;
  readonly addresses: Addresses;
  readonly times: ClusterTimes;
  /** Bytes that PD is told of a region at least. */
  readonly leastRegionBytes: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: StoreMetrics;
  /** A led region may have news for PD. */
  readonly onChange: () => void;
  /** A led region has news that PD waits for. */
  readonly onMembers: () => void;
  /** A peer hears no leader for long. */
  readonly onStranded: (region: RegionPeer) => void;
  readonly onFatal: (error: Error) => void;
}

/** The regions of a store at work: Raft, the links to the other stores and the network inspection. */
export interface Engine {
  readonly raft: MultiRaft;
  readonly inspector: Inspector;
  /** Of the regions that are led from here and can speak for themselves. */
  reports(): RegionReport[];
  /** Peers elsewhere that wait for a snapshot from here. */
  sendingSnapshots(): number;
  close(): void;
}

/** Starts every region from what the disk holds. */
export function startEngine(options: EngineOptions): Engine {
  const { addresses, clock, log, metrics, storeId, times } = options;
  const { places, gone } = peersOnDisk(options.groups);
  const peerAt = (peer: StoredPeer) => new RegionPeer({ ...options, ...peer, monotonicMs: clock.monotonicMs });
  const transport = createTransport({
    storeId,
    addressOf: addresses.of,
    onStaleAddress: (other) => void addresses.refresh(other),
    onUnreachable: (other) => raft.unreachable(other),
    onDown: (other) => inspector.onDown(other),
    onPong: (other, seq) => inspector.onPong(other, seq),
    retryMs: times.storeHeartbeatMs / 10,
    log,
    metrics,
  });
  const raft = createMultiRaft({
    ...options,
    peers: places.map(peerAt),
    gone,
    createPeer: (place) => peerAt({ ...place, restored: blankRestored() }),
    disk: options.storage,
    send: transport.send,
    flush: transport.flush,
    isReachable: (other) => transport.state(other) === 'up',
    monotonicMs: clock.monotonicMs,
  });
  const inspector = startInspector({
    storeId,
    others: () => addresses.storeIds.filter((other) => other !== storeId),
    ping: transport.ping,
    linkState: transport.state,
    times: probeTimes(times),
    monotonicMs: clock.monotonicMs,
    metrics,
  });
  return {
    raft,
    inspector,
    reports: () => raft.regions.filter(({ isServing }) => isServing).map((region) => reportOf(region, options)),
    sendingSnapshots: () => raft.regions.flatMap(({ node }) => [...node.progress().values()]).filter(isSnapshot).length,
    close() {
      inspector.stop();
      raft.stop();
      transport.close();
    },
  };
}

function isSnapshot({ state }: PeerProgress): boolean {
  return state === 'snapshot';
}

function reportOf(
  { contacts, meta, node, peerId, self, state }: RegionPeer,
  { times, leastRegionBytes }: EngineOptions,
): RegionReport {
  const health = peerHealth({
    region: meta,
    selfPeerId: peerId,
    progress: node.progress(),
    truncatedIndex: node.truncatedIndex,
    silentMs: contacts.silentMs,
    peerDownMs: times.peerDownMs,
  });
  return {
    ...health,
    meta,
    leaderPeer: self,
    term: node.term,
    approximateBytes: Math.max(state.approximateBytes, leastRegionBytes),
    approximateKeys: state.keys,
  };
}
