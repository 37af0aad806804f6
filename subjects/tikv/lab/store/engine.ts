import type { ClusterTimes } from '../../profiles.js';
import { blankRestored } from '../raft/restored.js';
import type { RaftStorage } from '../raft/storage.js';
import type { RaftRestored } from '../raft/types.js';
import type { Addresses } from './address-book.js';
import type { Clock } from './clock.js';
import { type Inspector, startInspector } from './inspector.js';
import type { RegionMeta } from './layout.js';
import type { Log } from './log.js';
import type { StoreMetrics } from './metrics.js';
import { createMultiRaft, type MultiRaft } from './multi-raft.js';
import { peerHealth } from './peer-health.js';
import { RegionPeer } from './region-peer.js';
import type { RegionReport } from './region-reporter.js';
import { createTransport } from './transport.js';

export interface EngineOptions {
  readonly storeId: number;
  readonly metas: readonly RegionMeta[];
  /** What the disk holds, by region id as text. */
  readonly restored: ReadonlyMap<string, RaftRestored>;
  readonly storage: Pick<RaftStorage, 'save'>;
  readonly addresses: Addresses;
  readonly times: ClusterTimes;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: StoreMetrics;
  /** A led region may have news for PD. */
  readonly onChange: () => void;
  readonly onFatal: (error: Error) => void;
}

/** The regions of a store at work: Raft, the links to the other stores and the network inspection. */
export interface Engine {
  readonly raft: MultiRaft;
  readonly inspector: Inspector;
  /** Of the regions that are led from here and can speak for themselves. */
  reports(): RegionReport[];
  close(): void;
}

/** Starts every region from what the disk holds. */
export function startEngine(options: EngineOptions): Engine {
  const { addresses, clock, log, metrics, storeId, times } = options;
  const regions = options.metas.map(
    (meta) =>
      new RegionPeer({
        ...options,
        meta,
        restored: options.restored.get(String(meta.id)) ?? blankRestored(),
      }),
  );
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
    regions,
    disk: options.storage,
    send: transport.send,
    flush: transport.flush,
    monotonicMs: clock.monotonicMs,
    tickMs: times.raftTickMs,
    onChange: options.onChange,
    onFatal: options.onFatal,
    log,
    metrics,
  });
  const inspector = startInspector({
    storeId,
    others: () => addresses.storeIds.filter((other) => other !== storeId),
    ping: transport.ping,
    linkState: transport.state,
    monotonicMs: clock.monotonicMs,
    metrics,
  });
  return {
    raft,
    inspector,
    reports: () => regions.filter((region) => region.isServing).map((region) => reportOf(region, options)),
    close() {
      inspector.stop();
      raft.stop();
      transport.close();
    },
  };
}

function reportOf(region: RegionPeer, { clock, times }: EngineOptions): RegionReport {
  const { meta, node, self, state } = region;
  const now = clock.monotonicMs();
  const health = peerHealth({
    region: meta,
    selfPeerId: self.id,
    progress: node.progress(),
    truncatedIndex: node.snapshotIndex,
    silentMs: (peerId) => region.silentMs(peerId, now),
    peerDownMs: times.peerDownMs,
  });
  return {
    ...health,
    meta,
    leaderPeer: self,
    term: node.term,
    approximateBytes: state.approximateBytes,
    approximateKeys: state.keys,
  };
}
