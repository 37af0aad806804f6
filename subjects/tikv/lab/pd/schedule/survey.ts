import type { NodeState, RegionReport, StoreMeta, StoreStats, StoreWeight } from '../model.js';
import { regionScore } from '../region-score.js';
import { runningEntry } from '../scheduler-entries.js';
import type { SettingValue } from '../setting-value.js';
import { lentSetting, settingsOf, silenceOf } from '../settings.js';
import { DEFAULT_WEIGHT } from '../state.js';
import { type StoreTotals, sum, totalsOf } from '../totals.js';
import type { PdView } from '../view.js';

/** What scheduling looks at. */
export type Scene = Pick<PdView, 'nowNs' | 'times' | 'state' | 'heartbeats' | 'regions' | 'pauses'>;

/** A store as a round of scheduling sees it. */
export interface StoreSight {
  readonly id: number;
  readonly meta: StoreMeta;
  /** By the age of its last heartbeat alone, also of a store that is Offline. */
  readonly hearing: 'heard' | 'disconnected' | 'down';
  /** Null until its first heartbeat under this leader. */
  readonly stats: StoreStats | null;
  readonly totals: StoreTotals;
  /** MiB of the regions on it, see {@link knownSize}. */
  readonly sizeMib: number;
  readonly weight: StoreWeight;
  /** Somebody, or PD itself, keeps leaders away from it. */
  readonly refusesLeaders: boolean;
}

type Settings = Readonly<Record<string, SettingValue>>;

const GIB = 2 ** 30;
/** A store with fewer regions is low on space only with less free than this (PD: `initialMinSpace`). */
const FEW_REGIONS = 100;
const FREE_ENOUGH = 8 * GIB;
/** PD takes a weight of 0 for one millionth. */
const LEAST_WEIGHT = 1e-6;

/** One look at the cluster. Everything is computed when it is first asked for, and then kept: a survey serves one round. */
export class Survey {
  readonly scene: Scene;
  readonly #stores = new Map<number, StoreSight>();
  #schedule: Settings | null = null;
  #replication: Settings | null = null;

  constructor(scene: Scene) {
    this.scene = scene;
  }

  get schedule(): Settings {
    this.#schedule ??= settingsOf(this.scene, 'schedule');
    return this.#schedule;
  }

  get replication(): Settings {
    this.#replication ??= settingsOf(this.scene, 'replication');
    return this.#replication;
  }

  /** Stores that are not Tombstone, by id. */
  get stores(): readonly StoreSight[] {
    const metas = Object.values(this.scene.state.stores).filter(({ state }) => state !== 'Tombstone');
    return metas.map(({ id }) => this.store(id)).filter((store) => store !== undefined);
  }

  store(id: number): StoreSight | undefined {
    const meta = this.scene.state.stores[id];
    if (meta === undefined) return undefined;
    const known = this.#stores.get(id) ?? this.#look(meta);
    this.#stores.set(id, known);
    return known;
  }

  get reports(): readonly RegionReport[] {
    return this.scene.regions.all();
  }

  /** A number of section `schedule`; one that holds for a while goes first. */
  number(name: string): number {
    return Number(lentSetting(this.scene, `schedule.${name}`) ?? this.schedule[name]);
  }

  isOn(name: string): boolean {
    return String(lentSetting(this.scene, `schedule.${name}`) ?? this.schedule[name]) === 'true';
  }

  /** MiB; 0 without regions. */
  get averageRegionMib(): number {
    return this.reports.length === 0 ? 0 : sum(this.reports, knownSize) / this.reports.length;
  }

  #look(meta: StoreMeta): StoreSight {
    const { heartbeats, regions, state, nowNs } = this.scene;
    const silentMs = Number((nowNs - heartbeats.lastHeartbeatNs(meta)) / 1_000_000n);
    const silence = silenceOf(this.scene);
    return {
      id: meta.id,
      meta,
      hearing: silentMs > silence.storeDownMs ? 'down' : silentMs > silence.disconnectedMs ? 'disconnected' : 'heard',
      stats: heartbeats.stats(meta.id) ?? null,
      totals: totalsOf(regions, meta.id),
      sizeMib: sum(regions.onStore(meta.id), knownSize),
      weight: state.weights[meta.id] ?? DEFAULT_WEIGHT,
      refusesLeaders: leaderlessStores(this.scene).includes(meta.id),
    };
  }
}

/** Stores from which leaders are kept away: by hand, because they are slow, or because they are about to stop. */
export function leaderlessStores({ state, heartbeats }: Scene): readonly number[] {
  const evicted = ['evict-leader-scheduler', 'evict-slow-store-scheduler'].flatMap(
    (name) => runningEntry(state.schedulers, name)?.storeIds ?? [],
  );
  const watched = runningEntry(state.schedulers, 'evict-stopping-store-scheduler') !== undefined;
  const ids = watched ? Object.keys(state.stores).map(Number) : [];
  return [...evicted, ...ids.filter((id) => heartbeats.stats(id)?.isStopping === true)];
}

/** MiB. A region whose size was not told yet counts as an empty one, so that moving it makes a difference. */
export function knownSize({ approximateSize }: RegionReport): number {
  return Math.max(1, approximateSize);
}

/** Leaders by weight; `delta` is added before (PD: `StoreInfo.LeaderScore` by count). */
export function leaderScore({ weight }: StoreSight, leaders: number): number {
  return leaders / Math.max(weight.leader, LEAST_WEIGHT);
}

/** How full the store is, with `deltaMib` more on it (PD: `StoreInfo.RegionScore`). */
export function fullness({ stats, sizeMib, weight }: StoreSight, deltaMib: number): number {
  const { capacity = 0, available = 0 } = stats ?? {};
  const score = regionScore({ capacity, available, regionSize: sizeMib + deltaMib });
  return score / Math.max(weight.region, LEAST_WEIGHT);
}

/** PD: `StoreInfo.IsLowSpace`. A store that says nothing is none. */
export function isLowOnSpace({ stats, totals }: StoreSight, lowSpaceRatio: number): boolean {
  if (stats === null || stats.capacity === 0) return false;
  if (totals.regionCount < FEW_REGIONS && stats.available > FREE_ENOUGH) return false;
  return stats.available / stats.capacity < 1 - lowSpaceRatio;
}

/** Does the store belong to the cluster for good? */
export function isStaying({ meta }: StoreSight): boolean {
  return (
    meta.state === 'Up' && (['Preparing', 'Serving'] satisfies NodeState[] as NodeState[]).includes(meta.nodeState)
  );
}
