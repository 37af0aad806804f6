import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterTimes } from '../../profiles.js';
import { type OpenedStorage, openStorage, type StoredGroup } from '../raft/storage.js';
import { type Addresses, openAddresses } from './address-book.js';
import type { StoreArgs } from './args.js';
import type { Clock } from './clock.js';
import { configAnswer } from './config-answer.js';
import { type Engine, startEngine } from './engine.js';
import { waitForEviction } from './eviction.js';
import { lastSeedId } from './layout.js';
import type { Log } from './log.js';
import { createStoreMetrics } from './metrics.js';
import { renewOlderData } from './older-data.js';
import { pdDirectory } from './pd-http.js';
import { joinCluster, passIds } from './pd-join.js';
import { createPdLink, type PdLink } from './pd-link.js';
import type { StoreStatsMessage } from './pd-messages.js';
import { type PdSession, startPdSession } from './pd-session.js';
import { openPort } from './port.js';
import { regionAnswer } from './region-answer.js';
import type { RegionPeer } from './region-peer.js';
import { resolveSeed, writeSeedLogs } from './seed.js';
import { openStatusPort } from './status-port.js';
import { type StoreFiles, storeFiles } from './store-files.js';
import { STORE_VERSION, storeMessage } from './store-message.js';
import { availableBytes, CAPACITY_BYTES, storeStats } from './store-stats.js';
import { isOutlived } from './stranded.js';
import { type PdTimes, pdTimes } from './times.js';

const MIB = 1024 * 1024;

export interface StoreOptions {
  readonly args: StoreArgs;
  readonly clock: Clock;
  readonly log: Log;
  /** Must end the process: the disk failed, or PD refuses this store. */
  readonly onFatal: (error: Error) => void;
}

/** A running store. */
export interface Store {
  /** Tells PD that this store is to stop, and waits until its leaders are moved away, or nobody seems to do that. */
  drain(): Promise<void>;
  /** Stops quickly and cleanly; what was acknowledged is on disk already. */
  close(): Promise<void>;
}

/**
 * Starts a store: its regions if it has any, its ports, its way to PD. A restarted store brings its regions back from
 * disk and needs nobody for that; a new one first joins PD and waits until all seed stores did.
 */
export async function startStore(options: StoreOptions): Promise<Store> {
  const store = new RunningStore(options, await openStorage({ dir: storeFiles(options.args.dataDir).raftDir }));
  await store.start();
  return store;
}

class RunningStore implements Store {
  readonly #options: StoreOptions;
  readonly #opened: OpenedStorage;
  readonly #files: StoreFiles;
  readonly #metrics = createStoreMetrics({ version: STORE_VERSION });
  readonly #startedAt: { readonly wall: Date; readonly monotonicMs: number };
  readonly #pdTimes: PdTimes;
  readonly #link: PdLink;
  readonly #addresses: Addresses;
  /** This data directory held regions when the process started. */
  readonly #isRestart: boolean;
  #isStopping = false;
  #engine: Engine | null = null;
  #session: PdSession | null = null;
  #ports: { close(): unknown }[] = [];

  constructor(options: StoreOptions, opened: OpenedStorage) {
    const { args, clock, log } = options;
    this.#options = options;
    this.#opened = opened;
    this.#files = storeFiles(args.dataDir);
    this.#startedAt = { wall: clock.now(), monotonicMs: clock.monotonicMs() };
    this.#isRestart = this.#files.regions() !== null;
    this.#pdTimes = pdTimes(args.profile.cluster);
    this.#link = createPdLink({
      endpoints: args.pd,
      clusterId: this.#files.identity()?.clusterId ?? null,
      times: this.#pdTimes,
      log,
      metrics: this.#metrics,
      onLeader: () => void this.#session?.onLeader(),
      onWrongCluster: (message) => options.onFatal(new Error(message)),
    });
    this.#addresses = openAddresses({ files: this.#files, link: this.#link, log });
  }

  async start(): Promise<void> {
    const { log, onFatal } = this.#options;
    const { droppedBytes, groups } = this.#opened;
    if (droppedBytes > 0)
      log.warn('pipe_builder.rs', 'Truncating log file due to broken batch', { bytes: droppedBytes });
    const identity = this.#files.identity();
    if (this.#isRestart && identity !== null) await this.#restart(identity.storeId, groups);
    await this.#openPorts();
    void this.#join().catch(onFatal);
  }

  async #restart(storeId: number, groups: ReadonlyMap<string, StoredGroup>): Promise<void> {
    const { storage } = this.#opened;
    const regions = this.#files.regions() ?? [];
    this.#startEngine(storeId, await renewOlderData({ storage, groups, regions, storeId }));
  }

  async drain(): Promise<void> {
    const { clock, log } = this.#options;
    this.#isStopping = true;
    await waitForEviction({
      leaders: () => this.#engine?.raft.regions.filter(({ isLeader }) => isLeader).length ?? 0,
      tellPd: async () => (await this.#session?.tell()) ?? false,
      timeoutMs: this.#times.gracefulShutdownMs,
      monotonicMs: clock.monotonicMs,
      log,
    });
  }

  async close(): Promise<void> {
    this.#session?.close();
    this.#link.close();
    this.#engine?.close();
    await Promise.all(this.#ports.map((port) => port.close()));
    await this.#opened.storage.close();
  }

  async #openPorts(): Promise<void> {
    const { args } = this.#options;
    const dataPort = await openPort({
      ...hostAndPort(args.address),
      raft: () => this.#engine?.raft ?? null,
      addressOf: this.#addresses.of,
      metrics: this.#metrics,
    });
    const statusPort = await openStatusPort({
      ...hostAndPort(args.statusAddress),
      metricsText: () => this.#metricsText(),
      config: () => configAnswer(args),
      region: (id) => {
        const region = this.#engine?.raft.region(id);
        return region === undefined ? null : regionAnswer(region);
      },
    });
    this.#ports = [dataPort, statusPort];
  }

  async #join(): Promise<void> {
    const { args, log } = this.#options;
    const { storeId } = await joinCluster({
      link: this.#link,
      log,
      retryMs: this.#pdTimes.retryMs,
      store: storeMessage(args, this.#startedAt.wall),
      identity: this.#files.identity(),
      saveIdentity: this.#files.saveIdentity,
    });
    if (this.#isRestart) await this.#passSeedIds();
    this.#session = this.#startSession(storeId);
    void this.#session.onLeader();
    if (!this.#isRestart) await this.#createRegions(storeId);
  }

  #startSession(storeId: number): PdSession {
    const { clock, log } = this.#options;
    const { storeHeartbeatMs, regionHeartbeatMs } = this.#times;
    return startPdSession({
      link: this.#link,
      clock,
      log,
      metrics: this.#metrics,
      storeHeartbeatMs,
      regionHeartbeatMs,
      firstHeartbeatMs: this.#isRestart ? Math.max(0, storeHeartbeatMs - this.#upMs()) : 0,
      stats: () => this.#stats(storeId),
      ledRegions: () => this.#engine?.reports() ?? [],
      onOrder: (order) => this.#engine?.raft.obey(order),
    });
  }

  async #createRegions(storeId: number): Promise<void> {
    const { args, log } = this.#options;
    const directory = pdDirectory(args.pd, this.#pdTimes.unaryMs);
    const { retryMs } = this.#pdTimes;
    const seed = await resolveSeed({ directory, seeds: args.seeds, regions: args.regions, retryMs });
    this.#addresses.learn(seed.addresses);
    await this.#passSeedIds();
    const mine = seed.layout.filter(({ meta }) => meta.peers.some((peer) => peer.storeId === storeId));
    const regions = mine.map(({ meta }) => meta);
    const groups = await writeSeedLogs(this.#opened.storage, { regions, storeId });
    this.#files.saveRegions(regions);
    const firstLeaders = new Map(mine.map(({ meta, firstLeader }) => [meta.id, firstLeader.id]));
    this.#startEngine(storeId, groups).raft.settle(firstLeaders);
    log.info('node.rs', 'regions created', { store_id: storeId, regions: regions.length });
  }

  /** Not before every seed store has its id, so that those stay small; and before PD can want a new peer. */
  #passSeedIds(): Promise<void> {
    const { regions } = this.#options.args;
    return passIds({ link: this.#link, retryMs: this.#pdTimes.retryMs }, lastSeedId(regions));
  }

  #startEngine(storeId: number, groups: ReadonlyMap<string, StoredGroup>): Engine {
    this.#engine = startEngine({
      ...this.#options,
      storeId,
      groups,
      storage: this.#opened.storage,
      addresses: this.#addresses,
      times: this.#times,
      leastRegionBytes: this.#options.args.regionMib * MIB,
      random: Math.random,
      metrics: this.#metrics,
      onChange: () => this.#session?.notice(),
      onMembers: () => this.#session?.urge(),
      onStranded: (region) => void this.#askPdAbout(region),
    });
    return this.#engine;
  }

  async #askPdAbout(region: RegionPeer): Promise<void> {
    if (!(await isOutlived(region, this.#link))) return;
    const { regionId, peerId } = region;
    this.#options.log.info('pd.rs', 'peer is not in the region any more', { region_id: regionId, peer_id: peerId });
    this.#engine?.raft.dismiss(regionId, peerId);
  }

  #stats(storeId: number): StoreStatsMessage {
    const intervalMs = this.#times.storeHeartbeatMs;
    return storeStats({
      storeId,
      startedAt: this.#startedAt.wall,
      regionCount: this.#engine?.raft.regions.length ?? 0,
      sendingSnapshots: this.#engine?.sendingSnapshots() ?? 0,
      receivingSnapshots: this.#engine?.raft.waiting ?? 0,
      usedBytes: directoryBytes(this.#files.raftDir),
      // A restarted TiKV calls itself busy in its first two heartbeats.
      isBusy: this.#isRestart && this.#upMs() < 2.5 * intervalMs,
      isStopping: this.#isStopping,
      slowScore: this.#engine?.inspector.slowScore() ?? 1,
      networkSlowScores: this.#engine?.inspector.networkSlowScores() ?? {},
      intervalMs,
      now: this.#options.clock.now(),
    });
  }

  #metricsText(): Promise<string> {
    const { regionCount, storeSizeBytes, registry } = this.#metrics;
    const regions = this.#engine?.raft.regions ?? [];
    const usedBytes = directoryBytes(this.#files.raftDir);
    regionCount.set({ type: 'region' }, regions.length);
    regionCount.set({ type: 'leader' }, regions.filter((region) => region.isLeader).length);
    storeSizeBytes.set({ type: 'capacity' }, CAPACITY_BYTES);
    storeSizeBytes.set({ type: 'available' }, availableBytes(usedBytes));
    storeSizeBytes.set({ type: 'used' }, usedBytes);
    return registry.metrics();
  }

  get #times(): ClusterTimes {
    return this.#options.args.profile.cluster;
  }

  #upMs(): number {
    return this.#options.clock.monotonicMs() - this.#startedAt.monotonicMs;
  }
}

function hostAndPort(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`tcp://${address}`);
  return { host: hostname, port: Number(port) };
}

function directoryBytes(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}
