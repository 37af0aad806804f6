import { storeChecks } from '../../../../../../subjects/tikv/lab/pd/changes/store-state.js';
import type {
  Peer,
  Region,
  RegionReport,
  StoreMeta,
  StoreStats,
} from '../../../../../../subjects/tikv/lab/pd/model.js';
import { bareReport } from '../../../../../../subjects/tikv/lab/pd/model.js';
import { Pauses } from '../../../../../../subjects/tikv/lab/pd/pauses.js';
import { RegionCache } from '../../../../../../subjects/tikv/lab/pd/regions.js';
import type { Operator } from '../../../../../../subjects/tikv/lab/pd/schedule/operator.js';
import type { Order, PeerChange } from '../../../../../../subjects/tikv/lab/pd/schedule/order.js';
import { Scheduling } from '../../../../../../subjects/tikv/lab/pd/schedule/scheduling.js';
import { scheduleTimes } from '../../../../../../subjects/tikv/lab/pd/schedule/times.js';
import { apply, type Command, type PdState } from '../../../../../../subjects/tikv/lab/pd/state.js';
import { StoreHeartbeats } from '../../../../../../subjects/tikv/lab/pd/stores.js';
import { PROFILES } from '../../../../../../subjects/tikv/profiles.js';
import { clusterState } from '../leader-view.js';
import { STATS } from '../samples.js';

const TIMES = PROFILES.fast.cluster;
const { roundMs } = scheduleTimes(TIMES);

/** Where the peers of each region are; the first one leads. */
export type Layout = readonly (readonly number[])[];

/** The lab's seed: 24 regions of 3 voters over 4 stores, 6 leaders on each. */
export const SEED: Layout = Array.from({ length: 24 }, (_, index) => [0, 1, 2].map((step) => ((index + step) % 4) + 1));

/** A region as its stores have it. */
export interface ModelRegion {
  readonly region: Region;
  readonly leader: number | null;
  readonly term: number;
}

export interface ModelOptions {
  readonly layout: Layout;
  readonly stores?: number;
  /** MiB of every region. */
  readonly sizeMib?: number;
  /** Does a store do what it is told? All do unless the test says otherwise. */
  readonly obeys?: (order: Order) => boolean;
  readonly random?: () => number;
}

/**
 * A cluster in virtual time whose stores do what PD tells them, at once and correctly, or not at all. It knows regions as
 * epochs and peers only; the scheduling on top of it is the real one.
 */
export class ModelCluster {
  readonly cache = new RegionCache();
  readonly heartbeats = new StoreHeartbeats();
  readonly pauses = new Pauses();
  readonly scheduling: Scheduling;
  readonly orders: Order[] = [];
  readonly started: Operator[] = [];
  readonly stats = new Map<number, StoreStats>();
  /** Told whenever a region changed. */
  onRegion: (region: ModelRegion) => void = () => undefined;
  nowMs = 1_000_000;
  #state: PdState;
  readonly #regions = new Map<number, ModelRegion>();
  readonly #silent = new Set<number>();
  #inbox: Order[] = [];
  #nextId = 10_000;

  constructor(readonly options: ModelOptions) {
    const { layout, stores = 4, random = seeded(1) } = options;
    this.#state = clusterState(stores);
    for (const id of this.storeIds) this.stats.set(id, STATS);
    this.#beat();
    for (const [index, on] of layout.entries()) this.#create(index, on);
    this.scheduling = new Scheduling({
      scene: () => ({
        nowNs: BigInt(this.nowMs) * 1_000_000n,
        times: TIMES,
        state: this.#state,
        heartbeats: this.heartbeats,
        regions: this.cache,
        pauses: this.pauses,
      }),
      peerId: () => ++this.#nextId,
      random,
      send: (order) => this.#inbox.push(order),
      suggest: (command) => this.change(command),
      onChange: (operator) => {
        if (operator.status === 'STARTED') this.started.push(operator);
      },
    });
    for (const id of this.#regions.keys()) this.#report(id);
  }

  get state(): PdState {
    return this.#state;
  }

  get storeIds(): number[] {
    return Object.keys(this.#state.stores).map(Number);
  }

  get regions(): readonly ModelRegion[] {
    return [...this.#regions.values()];
  }

  /** Stores that are silent. */
  get dead(): number[] {
    return [...this.#silent];
  }

  change(...commands: readonly Command[]): void {
    for (const command of commands) this.#state = apply(this.#state, command).state;
  }

  store(id: number): StoreMeta {
    return this.#state.stores[id]!;
  }

  /** Leaders by store. */
  leaders(): number[] {
    return this.storeIds.map((id) => this.regions.filter(({ leader }) => leader === id).length);
  }

  /** Peers by store. */
  peers(): number[] {
    return this.storeIds.map((id) => this.regions.filter(({ region }) => on(region, id) !== undefined).length);
  }

  /** The store says and does nothing from now on; leaders on it are elected elsewhere. */
  kill(id: number): void {
    this.#silent.add(id);
    for (const { region, leader, term } of this.regions) {
      if (leader !== id) continue;
      const heirs = region.peers.filter(({ storeId, role }) => role === 'Voter' && !this.#silent.has(storeId));
      const next = heirs[Math.floor(region.id / 40) % heirs.length];
      this.#put({ region, term: term + 1, leader: next?.storeId ?? null });
    }
  }

  /** The store runs again. */
  revive(id: number): void {
    this.#silent.delete(id);
    for (const { region, leader } of this.regions) if (leader !== null) this.#report(region.id);
  }

  /** Region leaders say so of the peers on this store. */
  reportDown(id: number): void {
    for (const { region } of this.regions) this.#report(region.id, id);
  }

  /** Puts the lead of a region somewhere by hand. */
  lead(regionId: number, storeId: number): void {
    const known = this.#regions.get(regionId)!;
    this.#put({ ...known, leader: storeId, term: known.term + 1 });
  }

  /** Lets time pass: heartbeats, PD's rounds, and what the stores do about PD's orders. */
  pass(ms: number): void {
    const end = this.nowMs + ms;
    while (this.nowMs < end) {
      this.nowMs += roundMs;
      this.#beat();
      this.#obey();
      this.scheduling.tick();
    }
    for (const command of storeChecks({ state: this.#state, regions: this.cache })) this.change(command);
  }

  /** Jumps ahead: of the time between, PD and the stores notice nothing. */
  skip(ms: number): void {
    this.nowMs += ms - roundMs;
    this.pass(roundMs);
  }

  #beat(): void {
    for (const id of this.storeIds) {
      if (this.#silent.has(id)) continue;
      this.heartbeats.hear(id, this.stats.get(id) ?? STATS, BigInt(this.nowMs) * 1_000_000n);
    }
  }

  #obey(): void {
    const orders = this.#inbox;
    this.#inbox = [];
    for (const order of orders) {
      this.orders.push(order);
      if (this.#silent.has(order.storeId) || this.options.obeys?.(order) === false) continue;
      this.#carryOut(order);
    }
  }

  /** As a store does: nothing unless it leads and PD knew the region as it is. */
  #carryOut({ regionId, storeId, epoch, command }: Order): void {
    const known = this.#regions.get(regionId);
    if (known === undefined || known.leader !== storeId) return;
    if (command.kind === 'transfer-leader') {
      const wanted = [...command.peers, command.peer].find((peer) => !this.#silent.has(peer.storeId));
      if (wanted !== undefined && wanted.storeId !== storeId) this.lead(regionId, wanted.storeId);
      return;
    }
    if (epoch.confVer !== known.region.epoch.confVer) return;
    const peers =
      command.changes.length === 0 ? leftJoint(known.region.peers) : changed(known.region.peers, command.changes);
    const grown = known.region.peers.filter(
      (peer) => peers.find(({ id }) => id === peer.id)?.role !== peer.role,
    ).length;
    const confVer = epoch.confVer + Math.max(grown, command.changes.length);
    this.#put({ ...known, region: { ...known.region, peers, epoch: { ...known.region.epoch, confVer } } });
  }

  #put(region: ModelRegion): void {
    this.#regions.set(region.region.id, region);
    this.onRegion(region);
    if (region.leader !== null) this.#report(region.region.id);
  }

  #report(id: number, downOn = 0): void {
    const { region, leader, term } = this.#regions.get(id)!;
    if (leader === null || this.#silent.has(leader)) return;
    const down = on(region, downOn);
    const report: RegionReport = {
      ...bareReport(region),
      leader: on(region, leader) ?? null,
      term,
      approximateSize: this.options.sizeMib ?? 1,
      downPeers: down === undefined ? [] : [{ peer: down, downSeconds: 600 }],
      pendingPeers: region.peers.filter(({ storeId }) => this.#silent.has(storeId)),
    };
    if (this.cache.accept(report).accepted) this.scheduling.hear(report);
  }

  #create(index: number, stores: readonly number[]): void {
    const id = 100 + index * 10;
    const key = (at: number) => (at === 0 ? '' : at.toString(16).toUpperCase().padStart(4, '0'));
    const endKey = index === this.options.layout.length - 1 ? '' : key(index + 1);
    const peers = stores.map((storeId, at): Peer => ({ id: id + at + 1, storeId, role: 'Voter' }));
    const region = { id, startKey: key(index), endKey, epoch: { confVer: 5, version: 3 }, peers };
    this.#regions.set(id, { region, leader: stores[0] ?? null, term: 6 });
  }
}

/** A small generator of numbers in [0, 1), the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function on({ peers }: Region, storeId: number): Peer | undefined {
  return peers.find((peer) => peer.storeId === storeId);
}

function changed(peers: readonly Peer[], changes: readonly PeerChange[]): Peer[] {
  let next = [...peers];
  for (const change of changes) next = changedOnce(next, change, changes.length > 1 ? 'joint' : 'plain');
  return next;
}

function changedOnce(peers: readonly Peer[], { type, peer }: PeerChange, how: 'joint' | 'plain'): Peer[] {
  const others = peers.filter(({ id }) => id !== peer.id);
  if (type === 'RemoveNode') return others;
  const isNew = others.length === peers.length;
  const joint = how === 'joint' && !isNew;
  if (type === 'AddNode') return [...others, { ...peer, role: joint ? 'IncomingVoter' : 'Voter' }];
  return [...others, { ...peer, role: joint ? 'DemotingVoter' : 'Learner' }];
}

function leftJoint(peers: readonly Peer[]): Peer[] {
  return peers.map((peer) => {
    if (peer.role === 'IncomingVoter') return { ...peer, role: 'Voter' };
    return peer.role === 'DemotingVoter' ? { ...peer, role: 'Learner' } : peer;
  });
}
