import { status } from '@grpc/grpc-js';
import type { StoreMeta } from '../model.js';
import type { PdNode } from '../node.js';
import { wallNs } from '../process-view.js';
import { isCompatible } from '../versions.js';
import { type HeaderError, headerOf, RpcFailure } from './errors.js';
import {
  regionFromWire,
  statsFromWire,
  storeFromWire,
  type WireHeader,
  type WireRegion,
  type WireStore,
  type WireStoreStats,
} from './wire.js';

export interface BootstrapRequest {
  readonly header: WireHeader | null;
  readonly store: WireStore | null;
  readonly region: WireRegion | null;
}

export interface PutStoreRequest {
  readonly header: WireHeader | null;
  readonly store: WireStore | null;
}

export interface StoreHeartbeatRequest {
  readonly header: WireHeader | null;
  readonly stats: WireStoreStats | null;
}

const ALREADY: HeaderError = { type: 'ALREADY_BOOTSTRAPPED', message: 'cluster is already bootstrapped' };
const CONFLICT = '[PD:etcd:ErrEtcdTxnConflict]etcd transaction failed, conflicted and rolled back';
const TOMBSTONE: HeaderError = { type: 'STORE_TOMBSTONE', message: 'store is tombstone' };

/** The first store brings the first region: the whole key space, with one peer, on that store. */
export async function bootstrap(node: PdNode, { store, region }: BootstrapRequest): Promise<object> {
  const { state } = node.view();
  if (state.bootstrappedAtNs !== null) return { header: headerOf(node, ALREADY) };
  const wrong = bootstrapFault({ store, region }, state.clusterId ?? '0');
  if (store === null || region === null || wrong !== null) return { header: headerOf(node, unknown(wrong ?? '')) };
  const applied = await node.propose({
    kind: 'bootstrap',
    store: storeFromWire(store),
    region: regionFromWire(region),
    atNs: wallNs().toString(),
  });
  return { header: applied === 'done' ? headerOf(node) : headerOf(node, unknown(CONFLICT)) };
}

/** Registers a store, again at each of its starts. */
export async function putStore(node: PdNode, { store }: PutStoreRequest): Promise<object> {
  const { state } = node.view();
  if (store === null || store.id === '0') {
    return { header: headerOf(node, unknown(`invalid put store ${store === null ? '<nil>' : goStore(store)}`)) };
  }
  const known = state.stores[Number(store.id)];
  if (known?.state === 'Tombstone') return { header: headerOf(node, TOMBSTONE) };
  const fault = putStoreFault(store, Object.values(state.stores), state.clusterVersion);
  if (fault !== null) return { header: headerOf(node, unknown(fault)) };
  await node.propose({ kind: 'put-store', store: storeFromWire(store) });
  return { header: headerOf(node) };
}

/** The only thing that keeps a store Up. The answer has the state from before this heartbeat. */
export function storeHeartbeat(node: PdNode, { stats }: StoreHeartbeatRequest): object {
  if (stats === null) throw new RpcFailure(status.UNKNOWN, 'invalid store heartbeat command, but it has no stats');
  const { state } = node.view();
  const store = state.stores[Number(stats.store_id)];
  if (store?.state === 'Tombstone') return { header: headerOf(node, TOMBSTONE) };
  if (store === undefined) return { header: headerOf(node, unknown(`store ${stats.store_id} not found`)) };
  node.hearStore(store.id, statsFromWire(stats));
  return { header: headerOf(node), cluster_version: state.clusterVersion, state: store.nodeState };
}

function bootstrapFault({ store, region }: Pick<BootstrapRequest, 'store' | 'region'>, cluster: string): string | null {
  if (store === null) return `missing store meta for bootstrap ${cluster}`;
  if (store.id === '0') return 'invalid zero store id';
  if (region === null) return `missing region meta for bootstrap ${cluster}`;
  if (region.start_key.length > 0 || region.end_key.length > 0) {
    return `invalid first region key range, must all be empty for bootstrap ${cluster}`;
  }
  if (region.id === '0') return 'invalid zero region id';
  const [peer] = region.peers;
  if (peer === undefined || region.peers.length !== 1) {
    return `invalid first region peer count ${region.peers.length}, must be 1 for bootstrap ${cluster}`;
  }
  if (peer.store_id !== store.id)
    return `invalid peer store id ${peer.store_id} != ${store.id} for bootstrap ${cluster}`;
  return peer.id === '0' ? 'invalid zero peer id' : null;
}

function putStoreFault(store: WireStore, known: readonly StoreMeta[], clusterVersion: string): string | null {
  if (!isCompatible(store.version, clusterVersion)) {
    return `version should compatible with version  ${clusterVersion}, got ${store.version}`;
  }
  const twin = known.find(
    ({ id, address, state }) => String(id) !== store.id && address === store.address && state !== 'Tombstone',
  );
  if (twin === undefined) return null;
  const first = `id:${twin.id} address:"${twin.address}" version:"${twin.version}" `;
  return `duplicated store address: ${goStore(store)}, already registered by ${first}`;
}

function goStore({ id, address, version }: WireStore): string {
  return `id:${id} address:"${address}" version:"${version}" `;
}

function unknown(message: string): HeaderError {
  return { type: 'UNKNOWN', message };
}
