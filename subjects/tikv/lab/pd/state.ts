import type { NodeState, Region, StoreMeta, StoreState } from './model.js';
import { lowestVersion } from './versions.js';

/** Who holds the leader key. The lease makes two terms of the same member different keys. */
export interface LeaderKey {
  readonly member: string;
  readonly lease: string;
}

/** What the members agree on through Raft: PD's part of etcd. Plain JSON. */
export interface PdState {
  /** uint64 in decimal; null only before the first leader of all named the cluster. */
  readonly clusterId: string | null;
  readonly leaderKey: LeaderKey | null;
  /** No id above this was ever handed out. */
  readonly idEnd: number;
  /** Unix nanoseconds in decimal, null before the first store. */
  readonly bootstrappedAtNs: string | null;
  readonly stores: Readonly<Record<string, StoreMeta>>;
  /** Follows the lowest version of the stores; `0.0.0` until the first PutStore. */
  readonly clusterVersion: string;
  /** No timestamp at or above this was ever handed out; unix ms. */
  readonly tsoEndMs: number;
}

/** Every change of {@link PdState}, as it stands in the Raft log. */
export type Command =
  | { readonly kind: 'name-cluster'; readonly clusterId: string }
  | { readonly kind: 'take-lead'; readonly key: LeaderKey }
  | { readonly kind: 'leave-lead'; readonly key: LeaderKey }
  | { readonly kind: 'reserve-ids'; readonly end: number }
  | { readonly kind: 'reserve-time'; readonly endMs: number }
  | { readonly kind: 'bootstrap'; readonly store: StoreMeta; readonly region: Region; readonly atNs: string }
  | { readonly kind: 'put-store'; readonly store: StoreMeta }
  | { readonly kind: 'store-heard'; readonly storeId: number; readonly lastHeartbeatNs: string }
  | { readonly kind: 'store-node-state'; readonly storeId: number; readonly nodeState: NodeState };

/** Did the command have its effect? `conflict`: another command was first. */
export type Applied = 'done' | 'conflict';

export const EMPTY_STATE: PdState = {
  clusterId: null,
  leaderKey: null,
  idEnd: 0,
  bootstrappedAtNs: null,
  stores: {},
  clusterVersion: '0.0.0',
  tsoEndMs: 0,
};

/** The state after `command`: the only place where {@link PdState} changes. Deterministic, so that all members agree. */
export function apply(state: PdState, command: Command): { readonly state: PdState; readonly applied: Applied } {
  const next = change(state, command);
  return next === null ? { state, applied: 'conflict' } : { state: next, applied: 'done' };
}

function change(state: PdState, command: Command): PdState | null {
  switch (command.kind) {
    case 'name-cluster':
      return state.clusterId === null ? { ...state, clusterId: command.clusterId } : null;
    case 'take-lead':
      return state.leaderKey === null ? { ...state, leaderKey: command.key } : null;
    case 'leave-lead':
      return state.leaderKey?.lease === command.key.lease ? { ...state, leaderKey: null } : null;
    case 'reserve-ids':
      return command.end > state.idEnd ? { ...state, idEnd: command.end } : null;
    case 'reserve-time':
      return command.endMs > state.tsoEndMs ? { ...state, tsoEndMs: command.endMs } : null;
    case 'bootstrap':
      if (state.bootstrappedAtNs !== null) return null;
      return { ...withStore(state, command.store), bootstrappedAtNs: command.atNs };
    case 'put-store':
      return withClusterVersion(withStore(state, merged(state.stores[command.store.id], command.store)));
    case 'store-heard':
      return changeStore(state, command.storeId, { lastHeartbeatNs: command.lastHeartbeatNs });
    case 'store-node-state':
      return changeStore(state, command.storeId, { nodeState: command.nodeState });
  }
}

/** What PD keeps of a store that registers again: its own decisions, and labels that are no longer sent. */
function merged(known: StoreMeta | undefined, sent: StoreMeta): StoreMeta {
  if (known === undefined) return sent;
  const sentKeys = new Set(sent.labels.map(({ key }) => key));
  return {
    ...sent,
    state: known.state,
    nodeState: known.nodeState,
    lastHeartbeatNs: known.lastHeartbeatNs,
    labels: [...known.labels.filter(({ key }) => !sentKeys.has(key)), ...sent.labels],
  };
}

function withClusterVersion(state: PdState): PdState {
  const alive = Object.values(state.stores).filter(({ state }) => state !== ('Tombstone' satisfies StoreState));
  return { ...state, clusterVersion: lowestVersion(alive.map(({ version }) => version)) ?? state.clusterVersion };
}

function changeStore(state: PdState, id: number, change: Partial<StoreMeta>): PdState | null {
  const store = state.stores[id];
  return store === undefined ? null : withStore(state, { ...store, ...change });
}

function withStore(state: PdState, store: StoreMeta): PdState {
  return { ...state, stores: { ...state.stores, [store.id]: store } };
}
