import type { NodeState, Peer, PeerRole, Region, RegionReport, StoreMeta, StoreState, StoreStats } from '../model.js';
import type { Order } from '../schedule/order.js';

/**
 * Messages of `pdpb.proto` as proto-loader gives them with `keepCase` and `longs: String`: 64-bit numbers are text, absent
 * messages are null, keys are buffers.
 */
export interface WirePeer {
  readonly id: string;
  readonly store_id: string;
  readonly role: PeerRole;
}

export interface WireRegion {
  readonly id: string;
  readonly start_key: Buffer;
  readonly end_key: Buffer;
  readonly region_epoch: { readonly conf_ver: string; readonly version: string } | null;
  readonly peers: readonly WirePeer[];
}

export interface WireStore {
  readonly id: string;
  readonly address: string;
  readonly state: StoreState;
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  readonly version: string;
  readonly peer_address: string;
  readonly status_address: string;
  readonly git_hash: string;
  readonly start_timestamp: string;
  readonly deploy_path: string;
  readonly last_heartbeat: string;
  readonly node_state: NodeState;
}

export interface WireStoreStats {
  readonly store_id: string;
  readonly capacity: string;
  readonly available: string;
  readonly used_size: string;
  readonly sending_snap_count: number;
  readonly receiving_snap_count: number;
  readonly slow_score: string;
  readonly network_slow_scores: Readonly<Record<string, string>>;
  readonly is_busy: boolean;
  readonly is_stopping: boolean;
}

export interface WireRegionHeartbeat {
  readonly header: WireHeader | null;
  readonly region: WireRegion | null;
  readonly leader: WirePeer | null;
  readonly down_peers: readonly { readonly peer: WirePeer; readonly down_seconds: string }[];
  readonly pending_peers: readonly WirePeer[];
  readonly bytes_written: string;
  readonly bytes_read: string;
  readonly keys_written: string;
  readonly keys_read: string;
  readonly approximate_size: string;
  readonly approximate_keys: string;
  readonly term: string;
}

export interface WireHeader {
  readonly cluster_id: string;
}

const MIB = 2 ** 20;

export function storeFromWire(store: WireStore): StoreMeta {
  return {
    id: Number(store.id),
    address: store.address,
    state: store.state,
    labels: store.labels.map(({ key, value }) => ({ key, value })),
    version: store.version.replace(/^v/, ''),
    peerAddress: store.peer_address,
    statusAddress: store.status_address,
    gitHash: store.git_hash,
    startTimestamp: Number(store.start_timestamp),
    deployPath: store.deploy_path,
    lastHeartbeatNs: '0',
    nodeState: store.node_state,
  };
}

export function storeToWire(store: StoreMeta): WireStore {
  return {
    id: String(store.id),
    address: store.address,
    state: store.state,
    labels: store.labels,
    version: store.version,
    peer_address: store.peerAddress,
    status_address: store.statusAddress,
    git_hash: store.gitHash,
    start_timestamp: String(store.startTimestamp),
    deploy_path: store.deployPath,
    last_heartbeat: store.lastHeartbeatNs,
    node_state: store.nodeState,
  };
}

export function statsFromWire(stats: WireStoreStats): StoreStats {
  return {
    capacity: Number(stats.capacity),
    available: Number(stats.available),
    usedSize: Number(stats.used_size),
    sendingSnapCount: stats.sending_snap_count,
    receivingSnapCount: stats.receiving_snap_count,
    slowScore: Number(stats.slow_score),
    networkSlowScores: Object.fromEntries(
      Object.entries(stats.network_slow_scores).map(([key, score]) => [idOfMapKey(key), Number(score)]),
    ),
    isBusy: stats.is_busy,
    isStopping: stats.is_stopping,
  };
}

/** protobufjs gives 64-bit keys of a map as their eight bytes, lowest first, whatever `longs` says. No id looks like digits so. */
function idOfMapKey(key: string): string {
  if (/^\d+$/.test(key)) return key;
  return String([...key].reduceRight((id, byte) => id * 256 + byte.charCodeAt(0), 0));
}

export function statsToWire(storeId: number, stats: StoreStats): WireStoreStats {
  return {
    store_id: String(storeId),
    capacity: String(stats.capacity),
    available: String(stats.available),
    used_size: String(stats.usedSize),
    sending_snap_count: stats.sendingSnapCount,
    receiving_snap_count: stats.receivingSnapCount,
    slow_score: String(stats.slowScore),
    network_slow_scores: Object.fromEntries(
      Object.entries(stats.networkSlowScores).map(([id, score]) => [id, String(score)]),
    ),
    is_busy: stats.isBusy,
    is_stopping: stats.isStopping,
  };
}

export function regionFromWire(region: WireRegion): Region {
  return {
    id: Number(region.id),
    startKey: hexKey(region.start_key),
    endKey: hexKey(region.end_key),
    epoch: { confVer: Number(region.region_epoch?.conf_ver ?? 0), version: Number(region.region_epoch?.version ?? 0) },
    peers: region.peers.map(peerFromWire),
  };
}

export function reportFromWire(heartbeat: WireRegionHeartbeat, region: WireRegion): RegionReport {
  return {
    region: regionFromWire(region),
    leader: heartbeat.leader === null ? null : peerFromWire(heartbeat.leader),
    term: Number(heartbeat.term),
    downPeers: heartbeat.down_peers.map(({ peer, down_seconds }) => ({
      peer: peerFromWire(peer),
      downSeconds: Number(down_seconds),
    })),
    pendingPeers: heartbeat.pending_peers.map(peerFromWire),
    writtenBytes: Number(heartbeat.bytes_written),
    readBytes: Number(heartbeat.bytes_read),
    writtenKeys: Number(heartbeat.keys_written),
    readKeys: Number(heartbeat.keys_read),
    approximateSize: mebibytes(Number(heartbeat.approximate_size)),
    approximateKeys: Number(heartbeat.approximate_keys),
  };
}

/** `pdpb.Region` and the four fields of `GetRegionResponse` are the same. */
export function reportToWire({ region, leader, downPeers, pendingPeers }: RegionReport): object {
  return {
    region: {
      id: region.id,
      start_key: Buffer.from(region.startKey, 'hex'),
      end_key: Buffer.from(region.endKey, 'hex'),
      region_epoch: { conf_ver: region.epoch.confVer, version: region.epoch.version },
      peers: region.peers.map(peerToWire),
    },
    leader: leader === null ? null : peerToWire(leader),
    down_peers: downPeers.map(({ peer, downSeconds }) => ({ peer: peerToWire(peer), down_seconds: downSeconds })),
    pending_peers: pendingPeers.map(peerToWire),
  };
}

/** An order as the fields of `RegionHeartbeatResponse`, without header. */
export function orderToWire({ regionId, epoch, target, command }: Order): object {
  return {
    region_id: regionId,
    region_epoch: { conf_ver: epoch.confVer, version: epoch.version },
    target_peer: peerToWire(target),
    ...commandToWire(command),
  };
}

function commandToWire(command: Order['command']): object {
  switch (command.kind) {
    case 'transfer-leader':
      return { transfer_leader: { peer: peerToWire(command.peer), peers: command.peers.map(peerToWire) } };
    case 'change-peers': {
      const changes = command.changes.map(({ type, peer }) => ({ change_type: type, peer: peerToWire(peer) }));
      return { change_peer_v2: { changes } };
    }
  }
}

/** Keys in the form in which the cache orders them and HTTP shows them. */
export function hexKey(key: Buffer): string {
  return key.toString('hex').toUpperCase();
}

function peerFromWire({ id, store_id, role }: WirePeer): Peer {
  return { id: Number(id), storeId: Number(store_id), role };
}

function peerToWire({ id, storeId, role }: Peer): object {
  return { id, store_id: storeId, role };
}

/** Less than one MiB counts as one; 0 is unknown. */
function mebibytes(bytes: number): number {
  return bytes === 0 ? 0 : Math.max(1, Math.floor(bytes / MIB));
}
