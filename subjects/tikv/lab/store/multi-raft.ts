import type { RaftStorage } from '../raft/storage.js';
import type { Message, Ready } from '../raft/types.js';
import type { PutCommand } from './kv.js';
import { holdsKey } from './layout.js';
import type { Log } from './log.js';
import type { StoreMetrics } from './metrics.js';
import type { LocalError, RegionPeer, RegionResult } from './region-peer.js';
import { createRoleWatch } from './role-watch.js';

export interface MultiRaftOptions {
  readonly regions: readonly RegionPeer[];
  /** One write and one sync for what many regions have to persist. */
  readonly disk: Pick<RaftStorage, 'save'>;
  /** Hands a message to the transport; all messages of one round are followed by one `flush`. */
  readonly send: (storeId: number, regionId: number, message: Message) => void;
  readonly flush: () => void;
  /** Monotonic, in ms. */
  readonly monotonicMs: () => number;
  readonly tickMs: number;
  /** The leader, its log's end or its followers changed: PD may have to know. */
  readonly onChange: (region: RegionPeer) => void;
  /** The disk failed: a store that cannot persist must not go on. */
  readonly onFatal: (error: Error) => void;
  readonly log: Log;
  readonly metrics: StoreMetrics;
}

/** All regions of one store behind one clock, one disk and one transport. */
export interface MultiRaft {
  region(regionId: number): RegionPeer | undefined;
  readonly regions: readonly RegionPeer[];
  step(regionId: number, message: Message): void;
  read(regionId: number, key: string): Promise<RegionResult<string | null>>;
  write(regionId: number, command: PutCommand): Promise<RegionResult<null>>;
  /**
   * The first elections of a cluster: these peers lead first, by region id. The peer itself stands for election until
   * its region has a leader; another that won instead, because the machine was slow, hands over. Later nobody cares.
   */
  settle(firstLeaders: ReadonlyMap<number, number>): void;
  transferLeader(regionId: number, toPeer: number): void;
  /** Messages to this store are lost. */
  unreachable(storeId: number): void;
  stop(): void;
}

/** After a pause longer than any election no further tick changes anything. */
const MAX_MISSED_TICKS = 100;

/** Starts ticking at once. */
export function createMultiRaft(options: MultiRaftOptions): MultiRaft {
  const { disk, log, metrics, monotonicMs, tickMs } = options;
  const byId = new Map(options.regions.map((region) => [region.meta.id, region]));
  const dirty = new Set<RegionPeer>(options.regions);
  const unsettled = new Map<RegionPeer, number>();
  const roles = createRoleWatch({ log, monotonicMs, onChange: options.onChange });
  let tickedAt = monotonicMs();
  let running = false;
  let stopped = false;

  /** Ticks that are due. Must come before anything that trusts a lease: the process may have been asleep. */
  function catchUp(): void {
    const due = Math.floor((monotonicMs() - tickedAt) / tickMs);
    if (due <= 0) return;
    tickedAt += due * tickMs;
    for (let tick = 0; tick < Math.min(due, MAX_MISSED_TICKS); tick += 1) {
      for (const region of options.regions) region.node.tick();
    }
    settle();
    for (const region of options.regions) {
      roles.look(region);
      wake(region);
    }
    metrics.leaderMissing.set(options.regions.filter((region) => region.node.leader === null).length);
  }

  /** A candidate repeats its requests by itself; calling again would only throw the answers away. */
  function settle(): void {
    for (const [region, peerId] of unsettled) {
      const { node, self } = region;
      const isIntended = self.id === peerId;
      if (node.leader === String(peerId)) unsettled.delete(region);
      else if (isIntended && node.leader === null && node.role === 'follower') node.campaign();
      else if (region.isServing && isReady(region, peerId)) node.transferLeader(String(peerId));
    }
  }

  function wake(region: RegionPeer): void {
    dirty.add(region);
    if (!running && !stopped) void run().catch(options.onFatal);
  }

  /** Rounds of persist, send, apply until no region has anything to do. */
  async function run(): Promise<void> {
    running = true;
    // What came in with the same turn of the event loop shares a round; nothing may keep the loop from turning.
    await new Promise(setImmediate);
    for (let round = takeRound(); round.size > 0 && !stopped; round = takeRound()) {
      const end = metrics.appendSeconds.startTimer();
      await disk.save([...round].map(([region, ready]) => ({ group: String(region.meta.id), ready })));
      end();
      for (const [region, ready] of round) finish(region, ready);
      options.flush();
      await new Promise(setImmediate);
    }
    running = false;
  }

  function takeRound(): Map<RegionPeer, Ready> {
    const round = new Map<RegionPeer, Ready>();
    for (const region of dirty) {
      const ready = region.node.ready();
      if (ready !== null) round.set(region, ready);
    }
    dirty.clear();
    return round;
  }

  function finish(region: RegionPeer, ready: Ready): void {
    for (const message of ready.messages) options.send(storeOf(region, message.to), region.meta.id, message);
    if (ready.snapshot !== undefined) region.state.restore(ready.snapshot.data);
    const end = ready.committed.length > 0 ? metrics.applySeconds.startTimer() : undefined;
    region.apply(ready.committed);
    end?.();
    region.node.advance();
    region.compactIfLong();
    roles.look(region);
    dirty.add(region);
  }

  const timer = setInterval(catchUp, tickMs);

  return {
    regions: options.regions,
    region: (regionId) => byId.get(regionId),
    step(regionId, message) {
      const region = byId.get(regionId);
      if (region === undefined) return;
      catchUp();
      region.heard(message.from, monotonicMs());
      region.node.step(message);
      wake(region);
    },
    read(regionId, key) {
      const region = findRegion(byId.get(regionId), key);
      if (!region.ok) return Promise.resolve(region);
      catchUp();
      return region.value.read(key);
    },
    async write(regionId, command) {
      const region = findRegion(byId.get(regionId), command.key);
      if (!region.ok) return region;
      catchUp();
      metrics.proposals.inc({ type: 'normal' });
      const end = metrics.commitSeconds.startTimer();
      const written = region.value.write(command);
      wake(region.value);
      const result = await written;
      if (result.ok) end();
      return result;
    },
    settle(firstLeaders) {
      for (const [regionId, peerId] of firstLeaders) {
        const region = byId.get(regionId);
        if (region !== undefined) unsettled.set(region, peerId);
      }
      settle();
      for (const region of unsettled.keys()) wake(region);
    },
    transferLeader(regionId, toPeer) {
      const region = byId.get(regionId);
      if (region === undefined) return;
      metrics.proposals.inc({ type: 'transfer_leader' });
      region.node.transferLeader(String(toPeer));
      wake(region);
    },
    unreachable(storeId) {
      for (const region of options.regions) {
        const peer = String(region.meta.peers.find((candidate) => candidate.storeId === storeId)?.id);
        // A probe that is lost waits for the next heartbeat's answer; reporting it too would send it again and again.
        if (region.node.progress().get(peer)?.state === 'replicate') region.node.reportUnreachable(peer);
      }
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}

/** A transfer to a peer that does not answer would only stop the region's writes. */
function isReady({ node }: RegionPeer, peerId: number): boolean {
  const peer = node.progress().get(String(peerId));
  return peer?.recentActive === true && peer.state === 'replicate';
}

function findRegion(region: RegionPeer | undefined, key: string): RegionResult<RegionPeer> {
  const refuse = (kind: 'RegionNotFound' | 'KeyNotInRegion') => ({ ok: false, error: { kind } as LocalError }) as const;
  if (region === undefined) return refuse('RegionNotFound');
  return holdsKey(region.meta, key) ? { ok: true, value: region } : refuse('KeyNotInRegion');
}

function storeOf(region: RegionPeer, peerId: string): number {
  return region.meta.peers.find((peer) => String(peer.id) === peerId)?.storeId ?? 0;
}
