import type { Clock } from './clock.js';
import type { PeerMeta, RegionMeta } from './layout.js';
import type { Log } from './log.js';
import type { StoreMetrics } from './metrics.js';
import { type PdLink, PdRefused } from './pd-link.js';
import type {
  PeerMessage,
  RegionHeartbeatRequest,
  RegionHeartbeatResponse,
  RegionMessage,
  StoreStatsMessage,
} from './pd-messages.js';
import { orderIn, type PdOrder } from './pd-orders.js';
import type { RegionHeartbeatStream } from './pd-stub.js';
import { type RegionReport, startRegionReporter } from './region-reporter.js';

export interface PdSessionOptions {
  readonly link: PdLink;
  readonly storeHeartbeatMs: number;
  readonly regionHeartbeatMs: number;
  /** Wait before the first store heartbeat: none for a new store, one interval after a restart, as TiKV does. */
  readonly firstHeartbeatMs: number;
  readonly stats: () => StoreStatsMessage;
  readonly ledRegions: () => readonly RegionReport[];
  /** PD wants something of a region, as far as it knows led from here. */
  readonly onOrder: (order: PdOrder) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: StoreMetrics;
}

/** What a store keeps telling PD after it joined. */
export interface PdSession {
  /** The link found a leader: replace the stream, store heartbeat first, then every led region. */
  onLeader(): Promise<void>;
  /** A led region may have something new to tell. */
  notice(): void;
  /** A led region has something to tell that PD waits for. */
  urge(): void;
  /** A store heartbeat out of turn; false when PD did not take it. */
  tell(): Promise<boolean>;
  close(): void;
}

/** Starts the heartbeats. */
export function startPdSession(options: PdSessionOptions): PdSession {
  const { link, log, metrics } = options;
  let stream: RegionHeartbeatStream | null = null;
  let introduced = false;
  let closed = false;
  let ticker: NodeJS.Timeout | undefined;
  const unsent = new Set<number>();
  const reporter = startRegionReporter({
    clock: options.clock,
    intervalMs: options.regionHeartbeatMs,
    ledRegions: options.ledRegions,
    send: sendRegion,
  });

  async function storeHeartbeat(): Promise<boolean> {
    if (closed) return false;
    const reply = await link.call('StoreHeartbeat', { stats: options.stats() }).catch((error: Error) => {
      const isTombstone = error instanceof PdRefused && error.type === 'STORE_TOMBSTONE';
      log.warn('pd.rs', 'store heartbeat failed', { err: isTombstone ? 'StoreTombstone' : error.message });
      // PD would believe the heartbeats of its regions all the same. The process runs on, as TiKV's does.
      if (isTombstone) close();
      return null;
    });
    return reply !== null;
  }

  function introduce(): void {
    introduced = true;
    void storeHeartbeat();
    ticker = setInterval(() => void storeHeartbeat(), options.storeHeartbeatMs);
  }

  function sendRegion(report: RegionReport): void {
    if (stream === null || closed) {
      unsent.add(report.meta.id);
    } else {
      stream.write(regionRequest(report, link.clusterId, options));
      metrics.pdHeartbeatMessages.inc({ type: 'send' });
    }
    metrics.pdPendingHeartbeats.set(unsent.size);
  }

  function openStream(): void {
    stream?.cancel();
    const fresh = link.openStream();
    stream = fresh;
    if (fresh === null) return;
    const ended = (why: string) => {
      if (stream !== fresh || closed) return;
      stream = null;
      link.lost(why);
    };
    fresh.on('data', (message: RegionHeartbeatResponse) => {
      receive(message);
      // Whoever knows no cluster leads none: it lost the leadership, and hears nothing more on this stream.
      if (message.header?.error?.type === 'NOT_BOOTSTRAPPED') ended(message.header.error.message);
    });
    // An ended stream is a lost leader whatever its status: a follower ends it with OK.
    fresh.on('error', (error: Error) => ended(error.message));
    fresh.on('end', () => ended('the stream of region heartbeats ended'));
  }

  function receive(message: RegionHeartbeatResponse): void {
    const error = message.header?.error;
    if (error) return void log.warn('pd.rs', 'region heartbeat refused', { err: error.message });
    const order = orderIn(message);
    metrics.pdHeartbeatMessages.inc({ type: order?.kind ?? 'noop' });
    if (order !== null) options.onOrder(order);
  }

  function close(): void {
    closed = true;
    clearInterval(ticker);
    clearTimeout(first);
    reporter.stop();
    stream?.cancel();
  }

  const first = setTimeout(introduce, options.firstHeartbeatMs);
  return {
    async onLeader() {
      if (closed) return;
      openStream();
      if (introduced) await storeHeartbeat();
      unsent.clear();
      reporter.resendAll();
    },
    notice: () => reporter.notice(),
    urge: () => reporter.urge(),
    tell: storeHeartbeat,
    close,
  };
}

function regionRequest(report: RegionReport, clusterId: string, options: PdSessionOptions): RegionHeartbeatRequest {
  const now = Math.floor(options.clock.now().getTime() / 1000);
  return {
    header: { cluster_id: clusterId },
    region: regionMessage(report.meta),
    leader: peerMessage(report.leaderPeer),
    pending_peers: report.pending.map(peerMessage),
    down_peers: report.down.map(({ peer, downSeconds }) => ({ peer: peerMessage(peer), down_seconds: downSeconds })),
    approximate_size: report.approximateBytes,
    approximate_keys: report.approximateKeys,
    interval: { start_timestamp: now - Math.floor(options.regionHeartbeatMs / 1000), end_timestamp: now },
    term: report.term,
  };
}

function regionMessage(meta: RegionMeta): RegionMessage {
  return {
    id: meta.id,
    start_key: Buffer.from(meta.startKey),
    end_key: Buffer.from(meta.endKey),
    region_epoch: { conf_ver: meta.confVer, version: meta.version },
    peers: meta.peers.map(peerMessage),
  };
}

function peerMessage({ id, storeId, role }: PeerMeta): PeerMessage {
  return { id, store_id: storeId, role };
}
