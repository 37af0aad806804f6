import { REPLICATION_DEFAULTS } from './config-defaults.js';
import type { NodeState, Region, StoreLimit, StoreMeta, StoreState, StoreWeight } from './model.js';
import { DEFAULT_SCHEDULERS, replacedEntry, type SchedulerEntry } from './scheduler-entries.js';
import type { LentSetting, SettingValue } from './setting-value.js';
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
  /** By store; a store that is not here has PD's defaults. */
  readonly limits: Readonly<Record<string, StoreLimit>>;
  readonly weights: Readonly<Record<string, StoreWeight>>;
  /** Settings that somebody set, by section and name (`schedule.leader-schedule-limit`); the others have PD's defaults. */
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** Settings that hold for a while (PD: `?ttlSecond=`). They do not show in `/config`. */
  readonly lent: Readonly<Record<string, LentSetting>>;
  readonly schedulers: readonly SchedulerEntry[];
  /** How often the default placement rule was rewritten because a replication setting changed. */
  readonly ruleVersion: number;
  /** Leader priorities of members, by name; 0 is left out. */
  readonly priorities: Readonly<Record<string, number>>;
  /** Members that were taken out of the group; there is no way back. */
  readonly removedMembers: readonly string[];
}

/** Settings that are written into the default placement rule, with their defaults. */
const RULE_SETTINGS: Readonly<Record<string, SettingValue>> = {
  'replication.max-replicas': REPLICATION_DEFAULTS['max-replicas'],
  'replication.location-labels': REPLICATION_DEFAULTS['location-labels'],
};

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
  | { readonly kind: 'store-node-state'; readonly storeId: number; readonly nodeState: NodeState }
  | { readonly kind: 'change-store'; readonly storeId: number; readonly change: StoreChange }
  | { readonly kind: 'forget-stores'; readonly storeIds: readonly number[] }
  | { readonly kind: 'limit-store'; readonly storeId: number; readonly limit: Partial<StoreLimit> }
  | { readonly kind: 'weigh-store'; readonly storeId: number; readonly weight: StoreWeight }
  | { readonly kind: 'set'; readonly settings: Readonly<Record<string, SettingValue>> }
  | { readonly kind: 'lend'; readonly settings: Readonly<Record<string, LentSetting>> }
  | { readonly kind: 'take-back'; readonly names: readonly string[] }
  | { readonly kind: 'set-cluster-version'; readonly version: string }
  | { readonly kind: 'schedule'; readonly schedulers: readonly SchedulerEntry[] }
  /** What a scheduler that runs decided by itself about its stores. */
  | { readonly kind: 'hold-store'; readonly type: string; readonly storeIds: readonly number[] }
  /** Goes with the change of the Raft group itself, in one entry of its log. */
  | { readonly kind: 'remove-member'; readonly member: string }
  | { readonly kind: 'prioritize'; readonly member: string; readonly priority: number };

/** What an operator's hand or PD itself changes of a store. */
export type StoreChange = Partial<Pick<StoreMeta, 'state' | 'nodeState' | 'labels' | 'physicallyDestroyed'>>;

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
  limits: {},
  weights: {},
  settings: {},
  lent: {},
  schedulers: DEFAULT_SCHEDULERS,
  ruleVersion: 0,
  priorities: {},
  removedMembers: [],
};

/** PD's limit of a store that nobody limited. */
export const DEFAULT_LIMIT: StoreLimit = { 'add-peer': 15, 'remove-peer': 15 };
export const DEFAULT_WEIGHT: StoreWeight = { leader: 1, region: 1 };

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
    case 'change-store':
      return changeStore(state, command.storeId, command.change);
    case 'forget-stores':
      return forgetStores(state, command.storeIds);
    case 'limit-store': {
      const limit = { ...DEFAULT_LIMIT, ...state.limits[command.storeId], ...command.limit };
      return { ...state, limits: { ...state.limits, [command.storeId]: limit } };
    }
    case 'weigh-store':
      return { ...state, weights: { ...state.weights, [command.storeId]: command.weight } };
    case 'set':
      return withSettings(state, command.settings);
    case 'lend':
      return { ...state, lent: { ...state.lent, ...command.settings } };
    case 'take-back':
      return { ...state, lent: without(state.lent, command.names) };
    case 'set-cluster-version':
      return { ...state, clusterVersion: command.version };
    case 'schedule':
      return { ...state, schedulers: command.schedulers };
    case 'hold-store': {
      const entry = state.schedulers.find(({ type, disable }) => type === command.type && !disable);
      if (entry === undefined) return null;
      return { ...state, schedulers: replacedEntry(state.schedulers, { ...entry, storeIds: command.storeIds }) };
    }
    case 'remove-member':
      if (state.removedMembers.includes(command.member)) return null;
      return {
        ...state,
        priorities: without(state.priorities, [command.member]),
        removedMembers: [...state.removedMembers, command.member],
      };
    case 'prioritize': {
      const others = without(state.priorities, [command.member]);
      return {
        ...state,
        priorities: command.priority === 0 ? others : { ...others, [command.member]: command.priority },
      };
    }
  }
}

function withSettings(state: PdState, settings: PdState['settings']): PdState {
  const rewritten = Object.entries(settings).filter(
    ([name, value]) => name in RULE_SETTINGS && (state.settings[name] ?? RULE_SETTINGS[name]) !== value,
  );
  return {
    ...state,
    settings: { ...state.settings, ...settings },
    ruleVersion: state.ruleVersion + rewritten.length,
  };
}

function forgetStores(state: PdState, ids: readonly number[]): PdState {
  const names = ids.map(String);
  return {
    ...state,
    stores: without(state.stores, names),
    limits: without(state.limits, names),
    weights: without(state.weights, names),
  };
}

function without<Value>(
  record: Readonly<Record<string, Value>>,
  names: readonly string[],
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
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
    ...(known.physicallyDestroyed === undefined ? {} : { physicallyDestroyed: known.physicallyDestroyed }),
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
