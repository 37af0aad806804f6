import { type Metadata, status } from '@grpc/grpc-js';
import type { Member } from '../members.js';
import type { PdNode } from '../node.js';
import { maxReplicas } from '../settings.js';
import { headerOf, isBootstrapped, NOT_BOOTSTRAPPED, RpcFailure, requireLeader } from './errors.js';
import { type BootstrapRequest, bootstrap, type PutStoreRequest, putStore, storeHeartbeat } from './stores.js';
import { hexKey, reportToWire, statsToWire, storeToWire, type WireHeader, type WireStoreStats } from './wire.js';

/** A call with one request and one answer. Throws {@link RpcFailure} for a gRPC status other than OK. */
export type Unary<Request> = (node: PdNode, request: Request, metadata: Metadata) => Promise<object> | object;

interface WithHeader {
  readonly header: WireHeader | null;
}

const ALLOW_FOLLOWER = 'pd-allow-follower-handle';

/** The calls of `pdpb.PD` with one request, by name. AskBatchSplit and ReportBatchSplit are not served. */
export const UNARY = {
  GetMembers: (node) => getMembers(node),

  IsBootstrapped: onLeader((node) => ({ header: headerOf(node), bootstrapped: isBootstrapped(node) })),

  AllocID: onLeader(async (node) => ({ header: headerOf(node), id: await node.allocateId() })),

  Bootstrap: onLeader<BootstrapRequest>(bootstrap),

  PutStore: onCluster<PutStoreRequest>(putStore),

  StoreHeartbeat: onCluster<WithHeader & { readonly stats: WireStoreStats | null }>(storeHeartbeat),

  GetStore: onCluster<WithHeader & { readonly store_id: string }>((node, { store_id }) => {
    const { state, heartbeats } = node.view();
    const id = Number(store_id);
    const store = state.stores[id];
    if (store === undefined) {
      return { header: headerOf(node, { type: 'UNKNOWN', message: `invalid store ID ${store_id}, not found` }) };
    }
    const stats = heartbeats.stats(id);
    return {
      header: headerOf(node),
      store: { ...storeToWire(store), last_heartbeat: heartbeats.lastHeartbeatNs(store).toString() },
      stats: stats === undefined ? null : statsToWire(id, stats),
    };
  }),

  GetClusterConfig: onCluster((node) => ({
    header: headerOf(node),
    cluster: { id: node.view().state.clusterId, max_peer_count: maxReplicas(node.view().state) },
  })),

  GetRegion: onRegions<WithHeader & { readonly region_key: Buffer }>((node, { region_key }) => {
    if (!isBootstrapped(node)) return { header: headerOf(node, NOT_BOOTSTRAPPED) };
    const found = node.view().regions.at(hexKey(region_key));
    return { header: headerOf(node), ...(found === undefined ? {} : reportToWire(found)) };
  }),

  GetRegionByID: onRegions<WithHeader & { readonly region_id: string }>((node, { region_id }) => {
    if (!isBootstrapped(node)) {
      return { header: headerOf(node, { type: 'REGION_NOT_FOUND', message: 'region not found' }) };
    }
    const found = node.view().regions.get(Number(region_id));
    return { header: headerOf(node), ...(found === undefined ? {} : reportToWire(found)) };
  }),

  ScanRegions: onRegions<WithHeader & { readonly start_key: Buffer; readonly end_key: Buffer; readonly limit: number }>(
    (node, { start_key, end_key, limit }) => {
      if (!isBootstrapped(node)) return { header: headerOf(node, NOT_BOOTSTRAPPED) };
      const found = node.view().regions.scan({ startKey: hexKey(start_key), endKey: hexKey(end_key), limit });
      return { header: headerOf(node), regions: found.map(reportToWire) };
    },
  ),
} satisfies Record<string, Unary<never>>;

/** Answered by every member, with any cluster id, and without asking the group. */
function getMembers(node: PdNode): object {
  if (node.stage === 'starting') {
    const error = { type: 'UNKNOWN', message: '[PD:server:ErrServerNotStarted]server not started' };
    return { header: { cluster_id: '0', error } };
  }
  const { members, leader, raft } = node.view();
  return {
    header: headerOf(node),
    members: members.map(memberToWire),
    leader: leader === null ? null : memberToWire(leader),
    etcd_leader: raft.leader === null ? null : memberToWire(raft.leader),
  };
}

function memberToWire({ name, memberId, peerUrl, clientUrl }: Member): object {
  return { name, member_id: memberId, peer_urls: [peerUrl], client_urls: [clientUrl] };
}

function onLeader<Request extends WithHeader>(answer: Unary<Request>): Unary<Request> {
  return (node, request, metadata) => {
    requireLeader(node, request.header);
    return answer(node, request, metadata);
  };
}

function onCluster<Request extends WithHeader>(answer: Unary<Request>): Unary<Request> {
  return onLeader((node, request, metadata) =>
    isBootstrapped(node) ? answer(node, request, metadata) : { header: headerOf(node, NOT_BOOTSTRAPPED) },
  );
}

/** Region reads, which a follower serves from its own cache when the caller allows it. */
function onRegions<Request extends WithHeader>(answer: Unary<Request>): Unary<Request> {
  return (node, request, metadata) => {
    const allowed = metadata.get(ALLOW_FOLLOWER).length > 0;
    if (!node.view().isLeader && !allowed) {
      throw new RpcFailure(status.UNAVAILABLE, 'not leader and follower handling not allowed');
    }
    if (!allowed) requireLeader(node, request.header);
    return answer(node, request, metadata);
  };
}
