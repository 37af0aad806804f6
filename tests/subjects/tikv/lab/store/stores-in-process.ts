import { blankRestored } from '../../../../../subjects/tikv/lab/raft/restored.js';
import type { StoredGroup } from '../../../../../subjects/tikv/lab/raft/storage.js';
import {
  type RegionMeta,
  regionKey,
  type SeedRegion,
  seedLayout,
} from '../../../../../subjects/tikv/lab/store/layout.js';
import { createLog } from '../../../../../subjects/tikv/lab/store/log.js';
import { createStoreMetrics } from '../../../../../subjects/tikv/lab/store/metrics.js';
import { createMultiRaft, type MultiRaft } from '../../../../../subjects/tikv/lab/store/multi-raft.js';
import type { PdLink } from '../../../../../subjects/tikv/lab/store/pd-link.js';
import { peersOnDisk, type StoredPeer } from '../../../../../subjects/tikv/lab/store/peers-on-disk.js';
import type { PeerChange } from '../../../../../subjects/tikv/lab/store/region-change.js';
import { RegionPeer } from '../../../../../subjects/tikv/lab/store/region-peer.js';
import { writeSeedLogs } from '../../../../../subjects/tikv/lab/store/seed.js';
import type { Letter } from '../../../../../subjects/tikv/lab/store/store-frames.js';
import { isOutlived } from '../../../../../subjects/tikv/lab/store/stranded.js';
import { type ClusterTimes, PROFILES } from '../../../../../subjects/tikv/profiles.js';
import { until } from '../../../../support/until.js';
import { CachedDisk } from './cached-disk.js';

interface Running {
  readonly raft: MultiRaft;
  readonly log: string[];
}

export interface InProcessOptions {
  readonly storeIds: readonly number[];
  /** The first three of them hold the regions. */
  readonly regions: number;
  readonly tickMs: number;
  readonly random?: () => number;
}

/** Stores in one process: real regions and Raft members, disks that can lose their cache, a network that can be cut. */
export class StoresInProcess {
  readonly layout: readonly SeedRegion[];
  /** Messages from or to these stores are lost. */
  readonly cutOff = new Set<number>();
  /** Epochs that leaders reported for PD at once, `region:conf_ver`. */
  readonly urged: string[] = [];
  /** What a store must not go on after. */
  readonly fatal: Error[] = [];
  /** How often a peer asked whether it still belongs. */
  questions = 0;
  /** What PD is asked; null answers nothing. */
  pd: ((regionId: number, storeId: number) => RegionMeta | null) | null = null;
  readonly #running = new Map<number, Running>();
  readonly #disks = new Map<number, CachedDisk>();
  readonly #times: ClusterTimes;
  readonly #random: () => number;
  #lastId: number;

  private constructor({ storeIds, regions, tickMs, random }: InProcessOptions) {
    this.layout = seedLayout({ storeIds: storeIds.slice(0, 3), regions });
    this.#times = { ...PROFILES.fast.cluster, raftTickMs: tickMs };
    this.#random = random ?? Math.random;
    this.#lastId = 1000;
    for (const storeId of storeIds) this.#disks.set(storeId, new CachedDisk());
  }

  static async start(options: InProcessOptions): Promise<StoresInProcess> {
    const stores = new StoresInProcess(options);
    const metas = stores.layout.map(({ meta }) => meta);
    for (const [storeId, disk] of stores.#disks) {
      const regions = metas.filter(({ peers }) => peers.some((peer) => peer.storeId === storeId));
      await writeSeedLogs(disk, { regions, storeId });
      stores.boot(storeId);
    }
    const firstLeaders = new Map(stores.layout.map(({ meta, firstLeader }) => [meta.id, firstLeader.id]));
    for (const { raft } of stores.#running.values()) raft.settle(firstLeaders);
    return stores;
  }

  /** Starts the store from what its disk holds. */
  boot(storeId: number): void {
    const log: string[] = [];
    const { places, gone } = peersOnDisk(this.#disks.get(storeId)!.read());
    const options = { storeId, times: this.#times, random: this.#random, monotonicMs: () => performance.now() };
    const peerAt = (peer: StoredPeer) => new RegionPeer({ ...options, ...peer });
    const raft = createMultiRaft({
      ...options,
      peers: places.map(peerAt),
      gone,
      createPeer: (place) => peerAt({ ...place, restored: blankRestored() }),
      disk: this.#disks.get(storeId)!,
      send: (to, letter) => this.deliver({ from: storeId, to, letter }),
      flush: () => undefined,
      isReachable: (other) => this.#running.has(other) && !this.cutOff.has(other),
      onChange: () => undefined,
      onMembers: ({ regionId, meta }) => this.urged.push(`${regionId}:${meta.confVer}`),
      onStranded: (region) => void this.#askPd(storeId, region),
      onFatal: (error) => this.fatal.push(error),
      log: createLog({ now: () => new Date(), write: (line) => log.push(line) }),
      metrics: createStoreMetrics({ version: 'test' }),
    });
    this.#running.set(storeId, { raft, log });
  }

  /** As `kill -9` and a power cut in one: the process is gone, and its disk's cache too. */
  crash(storeId: number): void {
    this.#running.get(storeId)?.raft.stop();
    this.#running.delete(storeId);
    this.#disks.get(storeId)!.crash(this.#random);
  }

  stop(): void {
    for (const { raft } of this.#running.values()) raft.stop();
    this.#running.clear();
  }

  /** Hands a message on, unless the way is cut; tests send late ones by hand. */
  deliver({ from, to, letter }: Envelope): void {
    if (this.cutOff.has(from) || this.cutOff.has(to) || !this.#running.has(to)) {
      this.#running.get(from)?.raft.unreachable(to);
      return;
    }
    if (letter.message.type === 'am-i-member') this.questions += 1;
    const copy = JSON.parse(JSON.stringify(letter)) as Letter;
    setImmediate(() => this.#running.get(to)?.raft.step(copy, from));
  }

  raft(storeId: number): MultiRaft {
    const running = this.#running.get(storeId);
    if (running === undefined) throw new Error(`store ${storeId} does not run`);
    return running.raft;
  }

  log(storeId: number): readonly string[] {
    return this.#running.get(storeId)?.log ?? [];
  }

  peer(storeId: number, regionId: number): RegionPeer | undefined {
    return this.#running.get(storeId)?.raft.region(regionId);
  }

  /** Running stores. */
  get running(): number[] {
    return [...this.#running.keys()];
  }

  /** What the disk of a store knows of a region. */
  onDisk(storeId: number, regionId: number): StoredGroup | undefined {
    return this.#disks.get(storeId)!.read().get(String(regionId));
  }

  /** The peer that speaks for the region; waits for it. */
  leader(regionId: number): Promise<RegionPeer> {
    const serving = () =>
      [...this.#running.keys()].map((id) => this.peer(id, regionId)).find((peer) => peer?.isServing);
    return until(`region ${regionId} is led`, serving, {
      deadlineMs: 20_000,
      everyMs: 5,
      seen: () => this.show(regionId),
    });
  }

  newPeerId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** One step, as PD sends it to the leader. */
  async change(regionId: number, changes: readonly PeerChange[]): Promise<void> {
    const { meta, peerId, storeId } = await this.leader(regionId);
    const { confVer, version } = meta;
    this.raft(storeId).obey({ regionId, confVer, version, leader: peerId, kind: 'change peer', changes });
  }

  async transfer(regionId: number, toStores: readonly number[]): Promise<void> {
    const { meta, peerId, storeId } = await this.leader(regionId);
    const targets = meta.peers.filter((peer) => toStores.includes(peer.storeId));
    this.raft(storeId).obey({ ...meta, regionId, leader: peerId, kind: 'transfer leader', targets });
  }

  /** `store:role` of the region's peers, as its leader has them. */
  async members(regionId: number): Promise<string[]> {
    return rolesOf(await this.leader(regionId));
  }

  /** Waits until the leader shows exactly these members. */
  async settled(regionId: number, members: readonly string[]): Promise<void> {
    await until(`region ${regionId} is ${members}`, async () => same(await this.members(regionId), members), {
      deadlineMs: 20_000,
      everyMs: 5,
      seen: () => this.show(regionId),
    });
  }

  /** Writes through the leader until it is acknowledged. */
  async put(regionId: number, suffix: string, value: string): Promise<void> {
    const key = this.key(regionId, suffix);
    await until(
      `the write of ${key}`,
      async () => {
        const { storeId } = await this.leader(regionId);
        return (await this.raft(storeId).write(regionId, { key, value })).ok || undefined;
      },
      { deadlineMs: 20_000, everyMs: 5, seen: () => this.show(regionId) },
    );
  }

  /** Reads through the leader until it answers. */
  get(regionId: number, suffix: string): Promise<{ readonly value: string | null }> {
    const key = this.key(regionId, suffix);
    return until(
      `the read of ${key}`,
      async () => {
        const { storeId } = await this.leader(regionId);
        const read = await this.raft(storeId).read(regionId, key);
        return read.ok ? read : undefined;
      },
      { deadlineMs: 20_000, everyMs: 5, seen: () => this.show(regionId) },
    );
  }

  key(regionId: number, suffix: string): string {
    return regionKey(
      this.layout.findIndex(({ meta }) => meta.id === regionId),
      suffix,
    );
  }

  /** For the message of a wait that failed. */
  show(regionId: number): object {
    return [...this.#disks.keys()].map((id) => {
      const peer = this.peer(id, regionId);
      const disk = this.onDisk(id, regionId)?.note;
      if (peer === undefined)
        return { id, runs: this.#running.has(id), waiting: this.#running.get(id)?.raft.waiting, disk };
      const { meta, node } = peer;
      const matches = [...node.progress()].map(
        ([to, { match, applied, state }]) => `${to} ${state} ${match} ${applied}`,
      );
      return {
        id,
        peer: peer.peerId,
        role: node.role,
        term: node.term,
        conf: meta.confVer,
        peers: rolesOf(peer),
        matches,
        disk,
      };
    });
  }

  async #askPd(storeId: number, region: RegionPeer): Promise<void> {
    const known = this.pd?.(region.regionId, storeId) ?? null;
    const link = { call: async () => ({ region: known && asPdSays(known) }) } as unknown as Pick<PdLink, 'call'>;
    if (await isOutlived(region, link)) this.#running.get(storeId)?.raft.dismiss(region.regionId, region.peerId);
  }
}

interface Envelope {
  readonly from: number;
  readonly to: number;
  readonly letter: Letter;
}

export function rolesOf({ meta }: RegionPeer): string[] {
  return meta.peers.map(({ storeId, role }) => `${storeId}:${role}`);
}

function same(left: readonly string[], right: readonly string[]): true | undefined {
  return left.toSorted().join() === right.toSorted().join() || undefined;
}

function asPdSays({ id, confVer, version, peers }: RegionMeta): object {
  const shown = peers.map((peer) => ({ id: String(peer.id), store_id: String(peer.storeId) }));
  return { id: String(id), region_epoch: { conf_ver: String(confVer), version: String(version) }, peers: shown };
}
