/**
 * The messages of pdpb.proto that a store uses, as proto-loader gives and takes them: 64-bit numbers come as text and
 * may be given as number or text, absent messages are null.
 */

import type { PeerRole } from './layout.js';

/** A 64-bit number on its way out. */
export type Uint64 = number | string;

export interface RequestHeader {
  cluster_id: Uint64;
}

export type PdErrorType =
  | 'OK'
  | 'UNKNOWN'
  | 'NOT_BOOTSTRAPPED'
  | 'STORE_TOMBSTONE'
  | 'ALREADY_BOOTSTRAPPED'
  | 'INCOMPATIBLE_VERSION'
  | 'REGION_NOT_FOUND';

/** `error` may be set although the gRPC status is OK. */
export interface ResponseHeader {
  cluster_id: string;
  error: { type: PdErrorType; message: string } | null;
}

export interface WithHeader {
  header: ResponseHeader | null;
}

export interface PeerMessage {
  id: Uint64;
  store_id: Uint64;
  role: PeerRole;
}

export interface RegionMessage {
  id: Uint64;
  start_key: Buffer;
  end_key: Buffer;
  region_epoch: { conf_ver: Uint64; version: Uint64 };
  peers: PeerMessage[];
}

export interface StoreMessage {
  id: Uint64;
  address: string;
  peer_address: string;
  status_address: string;
  version: string;
  git_hash: string;
  /** Unix seconds. */
  start_timestamp: number;
  deploy_path: string;
  labels: { key: string; value: string }[];
}

export interface StoreStatsMessage {
  store_id: Uint64;
  /** Bytes. */
  capacity: number;
  available: number;
  used_size: number;
  region_count: number;
  /** Unix seconds. */
  start_time: number;
  is_busy: boolean;
  interval: { start_timestamp: number; end_timestamp: number };
  slow_score: number;
  network_slow_scores: Record<string, number>;
  sending_snap_count: number;
  receiving_snap_count: number;
  /** The process was told to end and waits for its leaders to be moved away. */
  is_stopping: boolean;
}

export interface RegionHeartbeatRequest {
  header: RequestHeader;
  region: RegionMessage;
  leader: PeerMessage;
  down_peers: { peer: PeerMessage; down_seconds: number }[];
  pending_peers: PeerMessage[];
  approximate_size: number;
  approximate_keys: number;
  interval: { start_timestamp: number; end_timestamp: number };
  term: number;
}

export interface RegionHeartbeatResponse extends WithHeader {
  region_id: string;
  region_epoch: { conf_ver: string; version: string } | null;
  target_peer: IncomingPeer | null;
  transfer_leader: { peer: IncomingPeer | null; peers: IncomingPeer[] } | null;
  change_peer: ChangePeerMessage | null;
  /** Present and empty is not absent: it leaves a joint configuration. */
  change_peer_v2: { changes: ChangePeerMessage[] } | null;
  merge: object | null;
  split_region: object | null;
}

export interface ChangePeerMessage {
  peer: IncomingPeer | null;
  change_type: 'AddNode' | 'RemoveNode' | 'AddLearnerNode';
}

export interface IncomingPeer {
  id: string;
  store_id: string;
}

/** A region as PD knows it. */
export interface IncomingRegion {
  id: string;
  region_epoch: { conf_ver: string; version: string } | null;
  peers: IncomingPeer[];
}

interface MemberMessage {
  name: string;
  client_urls: string[];
}

/** Request and response of every unary method that a store calls. */
export interface PdMethods {
  GetMembers: {
    request: Record<string, never>;
    response: WithHeader & { members: MemberMessage[]; leader: MemberMessage | null };
  };
  AllocID: { request: { header: RequestHeader }; response: WithHeader & { id: string } };
  IsBootstrapped: { request: { header: RequestHeader }; response: WithHeader & { bootstrapped: boolean } };
  Bootstrap: {
    request: { header: RequestHeader; store: StoreMessage; region: RegionMessage };
    response: WithHeader;
  };
  PutStore: { request: { header: RequestHeader; store: StoreMessage }; response: WithHeader };
  GetStore: {
    request: { header: RequestHeader; store_id: Uint64 };
    response: WithHeader & { store: { address: string; state: string } | null };
  };
  GetRegionByID: {
    request: { header: RequestHeader; region_id: Uint64 };
    response: WithHeader & { region: IncomingRegion | null };
  };
  StoreHeartbeat: { request: { header: RequestHeader; stats: StoreStatsMessage }; response: WithHeader };
}
