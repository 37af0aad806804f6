import type { ClusterTimes } from '../../profiles.js';
import { createFarewell, farewellTo } from './farewell.js';
import type { PutCommand } from './kv.js';
import { holdsKey } from './layout.js';
import { obey } from './obey.js';
import type { PdOrder } from './pd-orders.js';
import { PeerTable } from './peer-table.js';
import type { StoredPeer } from './peers-on-disk.js';
import type { RegionPeer } from './region-peer.js';
import { createRoleWatch } from './role-watch.js';
import { createRounds, type RoundsOptions } from './rounds.js';
import type { Letter, PeerMessage } from './store-frames.js';
import type { LocalError, RegionResult } from './waiting.js';

export interface MultiRaftOptions extends Omit<RoundsOptions, 'table' | 'onDone'> {
  /** Peers that the disk knows. */
  readonly peers: readonly RegionPeer[];
  /** The last peer of each region that was destroyed here, by region id. */
  readonly gone: ReadonlyMap<number, number>;
  /** Makes a blank peer, because a leader says that it belongs to the region. */
  readonly createPeer: (place: Omit<StoredPeer, 'restored'>) => RegionPeer;
  /** Is there a connection to the store? */
  readonly isReachable: (storeId: number) => boolean;
  /** Monotonic, in ms. */
  readonly monotonicMs: () => number;
  readonly times: ClusterTimes;
  /** The leader, its log's end or its followers changed: PD may have to know. */
  readonly onChange: (region: RegionPeer) => void;
  /** A peer hears no leader for long: PD may know whether it still belongs to the region. */
  readonly onStranded: (region: RegionPeer) => void;
}

/** All regions of one store behind one clock, one disk and one transport. */
export interface MultiRaft {
  /** Undefined also for a peer that waits for its data. */
  region(regionId: number): RegionPeer | undefined;
  /** Peers that belong to their regions, as far as is known here, and have their data. */
  readonly regions: readonly RegionPeer[];
  /** How many peers wait for their first snapshot. */
  readonly waiting: number;
  step(letter: Letter, fromStore: number): void;
  read(regionId: number, key: string): Promise<RegionResult<string | null>>;
  write(regionId: number, command: PutCommand): Promise<RegionResult<null>>;
  /**
   * The first elections of a cluster: these peers lead first, by region id. The peer itself stands for election until
   * its region has a leader; another that won instead, because the machine was slow, hands over. Later nobody cares.
   */
  settle(firstLeaders: ReadonlyMap<number, number>): void;
  /** A step of one of PD's operators; dropped, with a line in the log, where it does not fit. */
  obey(order: PdOrder): void;
  /** Destroys the region's peer here if it is still this one: the region goes on without it. */
  dismiss(regionId: number, peerId: number): void;
  /** Messages to this store are lost. */
  unreachable(storeId: number): void;
  stop(): void;
}

/** After a pause longer than any election no further tick changes anything. */
const MAX_MISSED_TICKS = 100;

/** Starts ticking at once. */
export function createMultiRaft(options: MultiRaftOptions): MultiRaft {
  const { flush, isReachable, log, metrics, monotonicMs, send } = options;
  const { raftTickMs: tickMs } = options.times;
  const table = new PeerTable(options.peers, options.gone);
  const unsettled = new Map<RegionPeer, number>();
  const roles = createRoleWatch({ log, onChange: options.onChange });
  const rounds = createRounds({ ...options, table, onDone: roles.look });
  const farewell = createFarewell(options);
  let tickedAt = monotonicMs();

  /** Ticks that are due. Must come before anything that trusts a lease: the process may have been asleep. */
  function catchUp(): void {
    const due = Math.floor((monotonicMs() - tickedAt) / tickMs);
    if (due <= 0) return;
    tickedAt += due * tickMs;
    for (let tick = 0; tick < Math.min(due, MAX_MISSED_TICKS); tick += 1) {
      for (const region of table.all) region.node.tick();
    }
    settle();
    for (const region of table.all) {
      roles.look(region);
      farewell.look(region);
      rounds.wake(region);
    }
    flush();
    metrics.leaderMissing.set(table.members.filter(({ node }) => node.leader === null).length);
  }

  /** A candidate repeats its requests by itself; calling again would only throw the answers away. */
  function settle(): void {
    for (const [region, peerId] of unsettled) {
      const { node } = region;
      const isIntended = region.peerId === peerId;
      if (node.leader === String(peerId)) unsettled.delete(region);
      else if (isIntended && node.leader === null && node.role === 'follower') node.campaign();
      else if (region.isServing && isReady(region, peerId)) node.transferLeader(String(peerId));
    }
  }

  function create({ regionId, confVer, message: { from, to } }: Letter): RegionPeer {
    const region = options.createPeer({ regionId, peerId: Number(to), since: confVer });
    log.info('peer.rs', 'replicate peer', { region_id: regionId, peer_id: to, create_by_peer_id: from });
    table.add(region);
    rounds.begin(region);
    return region;
  }

  function handle(region: RegionPeer, message: PeerMessage, fromStore: number): void {
    region.contacts.heard(message, fromStore);
    if (message.type === 'dismissed') return rounds.end(region);
    if (message.type !== 'am-i-member') region.node.step(message);
    rounds.wake(region);
  }

  function answer(regionId: number, message: PeerMessage, fromStore: number): void {
    const reply = farewellTo(table.get(regionId), message);
    if (reply === null) return;
    send(fromStore, reply);
    flush();
  }

  function serving(regionId: number, key: string): RegionResult<RegionPeer> {
    const region = table.get(regionId);
    if (!region?.isMember) return refuse('RegionNotFound');
    return holdsKey(region.meta, key) ? { ok: true, value: region } : refuse('KeyNotInRegion');
  }

  const timer = setInterval(catchUp, tickMs);

  return {
    get regions() {
      return table.members;
    },
    get waiting() {
      return table.all.filter(({ isInitialized }) => !isInitialized).length;
    },
    region(regionId) {
      const region = table.get(regionId);
      return region?.isInitialized ? region : undefined;
    },
    step(letter, fromStore) {
      const { regionId, message } = letter;
      catchUp();
      if (message.type === 'am-i-member') return answer(regionId, message, fromStore);
      const admission = table.admit(regionId, message);
      switch (admission.kind) {
        case 'stale':
          return;
        case 'occupied':
          admission.region.contacts.met(message.from, fromStore);
          farewell.ask(admission.region);
          return flush();
        case 'unknown':
          return handle(create(letter), message, fromStore);
        case 'known':
          return handle(admission.region, message, fromStore);
      }
    },
    read(regionId, key) {
      catchUp();
      const region = serving(regionId, key);
      return region.ok ? region.value.read(key) : Promise.resolve(region);
    },
    async write(regionId, command) {
      catchUp();
      const region = serving(regionId, command.key);
      if (!region.ok) return region;
      metrics.proposals.inc({ type: 'normal' });
      const end = metrics.commitSeconds.startTimer();
      const written = region.value.write(command);
      rounds.wake(region.value);
      const result = await written;
      if (result.ok) end();
      return result;
    },
    settle(firstLeaders) {
      for (const [regionId, peerId] of firstLeaders) {
        const region = table.get(regionId);
        if (region !== undefined) unsettled.set(region, peerId);
      }
      settle();
      for (const region of unsettled.keys()) rounds.wake(region);
    },
    obey(order) {
      catchUp();
      const region = table.get(order.regionId);
      const result = obey({ region, order, isReachable });
      const fields = { region_id: order.regionId, conf_ver: order.confVer };
      if (!result.ok) return log.warn('pd.rs', `failed to ${order.kind}`, { ...fields, err: result.why });
      log.info('pd.rs', `try to ${order.kind}`, fields);
      metrics.proposals.inc({ type: order.kind === 'change peer' ? 'conf_change' : 'transfer_leader' });
      if (region !== undefined) rounds.wake(region);
    },
    dismiss(regionId, peerId) {
      const region = table.get(regionId);
      if (region?.peerId === peerId) rounds.end(region);
    },
    unreachable(storeId) {
      for (const region of table.all) {
        const peer = String(region.meta.peers.find((candidate) => candidate.storeId === storeId)?.id);
        // A probe that is lost waits for the next heartbeat's answer; reporting it too would send it again and again.
        if (region.node.progress().get(peer)?.state === 'replicate') region.node.reportUnreachable(peer);
      }
    },
    stop() {
      rounds.stop();
      clearInterval(timer);
    },
  };
}

/** A transfer to a peer that does not answer would only stop the region's writes. */
function isReady({ node }: RegionPeer, peerId: number): boolean {
  const peer = node.progress().get(String(peerId));
  return peer?.recentActive === true && peer.state === 'replicate';
}

function refuse(kind: 'RegionNotFound' | 'KeyNotInRegion'): { ok: false; error: LocalError } {
  return { ok: false, error: { kind } };
}
