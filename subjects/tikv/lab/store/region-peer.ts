import type { ClusterTimes } from '../../profiles.js';
import { RaftNode } from '../raft/node.js';
import type { Entry, Installed, RaftRestored, Snapshot } from '../raft/types.js';
import { type Contacts, createContacts } from './contacts.js';
import { encodePut, type PutCommand, type RegionState } from './kv.js';
import type { PeerMeta, RegionMeta } from './layout.js';
import { createPeerState } from './peer-state.js';
import type { Letter, PeerMessage } from './store-frames.js';
import { createWaiting, type LocalError, type RegionResult } from './waiting.js';

export interface RegionPeerOptions {
  readonly regionId: number;
  readonly peerId: number;
  readonly storeId: number;
  /** `conf_ver` of a configuration to which the peer belonged. */
  readonly since: number;
  /** What the disk holds; blank for a peer that was just asked for. */
  readonly restored: RaftRestored;
  readonly times: ClusterTimes;
  readonly random: () => number;
  readonly monotonicMs: () => number;
}

/** Log entries after which a region truncates its log. */
const COMPACT_AFTER = 256;
/** A peer that lags holds back the truncation until the log is this long (TiKV: `raft-log-gc-count-limit`). */
const COMPACT_REGARDLESS = 32 * COMPACT_AFTER;
/** Writes under way in one region; more is answered ServerIsBusy. */
const MAX_WAITING = 1024;

/** One replica of one region: its Raft member, its data, and the requests that wait for either. */
export class RegionPeer {
  readonly regionId: number;
  readonly peerId: number;
  readonly storeId: number;
  readonly since: number;
  readonly node: RaftNode;
  readonly contacts: Contacts;
  readonly #state;
  readonly #waiting = createWaiting();

  constructor({ regionId, peerId, storeId, since, restored, times, random, monotonicMs }: RegionPeerOptions) {
    this.regionId = regionId;
    this.peerId = peerId;
    this.storeId = storeId;
    this.since = since;
    this.contacts = createContacts(monotonicMs);
    this.#state = createPeerState(regionId);
    const { raftElectionTicks: electionTicks, raftHeartbeatTicks: heartbeatTicks } = times;
    // Who belongs to the group stands in the snapshot, with which every region begins.
    this.node = new RaftNode({ id: String(peerId), voters: [], electionTicks, heartbeatTicks, random }, restored);
    if (restored.snapshot !== null) this.#state.restore(restored.snapshot);
  }

  /** As applied here; without peers until the leader's first snapshot. */
  get meta(): RegionMeta {
    return this.#state.meta;
  }

  get state(): RegionState {
    return this.#state.data;
  }

  /** As the region knows this peer; a learner where it does not know it (yet, or any more). */
  get self(): PeerMeta {
    const { peerId: id, storeId } = this;
    return this.meta.peers.find((peer) => peer.id === id) ?? { id, storeId, role: 'Learner' };
  }

  /** Has the region's data, or had it. */
  get isInitialized(): boolean {
    return this.meta.peers.length > 0;
  }

  /** Belongs to the region, as far as applied here. */
  get isMember(): boolean {
    return this.meta.peers.some(({ id }) => id === this.peerId);
  }

  get isLeader(): boolean {
    return this.node.role === 'leader';
  }

  /** Leads and has committed an entry of its own term, so that its word is the region's. */
  get isServing(): boolean {
    return this.node.readIndex() !== null;
  }

  /** Every voter has applied the newest change of members, so nobody can need those who were removed by it. */
  get isSettled(): boolean {
    const { membership } = this.node;
    const progress = this.node.progress();
    const voters = new Set([...membership.voters, ...(membership.outgoing ?? [])]);
    voters.delete(String(this.peerId));
    return [...voters].every((id) => (progress.get(id)?.applied ?? 0) >= this.#state.changedAt);
  }

  read(key: string): Promise<RegionResult<string | null>> {
    const index = this.node.readIndex();
    if (index === null) return Promise.resolve(this.#refuse());
    if (index <= this.node.appliedIndex) return Promise.resolve({ ok: true, value: this.state.get(key) });
    return this.#waiting.read({ index, key });
  }

  write(command: PutCommand): Promise<RegionResult<null>> {
    if (this.#waiting.writes >= MAX_WAITING) return Promise.resolve(busy('too many writes are under way'));
    const proposed = this.node.propose(encodePut(command));
    return proposed.ok ? this.#waiting.write(proposed) : Promise.resolve(this.#refuse());
  }

  /**
   * Applies entries that the log committed, and answers who waited for them.
   *
   * @param changes - of the same Ready: what each change of members makes of the group
   * @returns peers that the region did not have before
   */
  apply(committed: readonly Entry[], changes: readonly Installed[]): PeerMeta[] {
    const changeAt = new Map(changes.map((change) => [change.index, change]));
    const added = committed.flatMap((entry) => {
      const fresh = this.#state.apply(entry, changeAt.get(entry.index));
      this.#waiting.applied(entry);
      return fresh;
    });
    this.#waiting.serveReads(committed.at(-1)?.index ?? 0, this.state.get);
    this.contacts.greet(added);
    return added;
  }

  /** A snapshot from the leader replaces everything. */
  restore(snapshot: Snapshot): void {
    this.#state.restore(snapshot);
  }

  /** Leadership is gone: what becomes of the waiting writes is unknown here. */
  dropWaiting(): void {
    this.#waiting.drop();
  }

  /** Truncates the log when it grew long, unless a peer still needs it. */
  compactIfLong(): void {
    const { appliedIndex, snapshotIndex } = this.node;
    const length = appliedIndex - snapshotIndex;
    if (length < COMPACT_AFTER) return;
    if (this.isLeader && length < COMPACT_REGARDLESS && this.#slowestMatch() < appliedIndex) return;
    this.compact();
  }

  /** Makes a snapshot of what is applied: what a peer gets that the log cannot serve. */
  compact(): void {
    this.node.compact(this.node.appliedIndex, this.#state.snapshot());
  }

  /** The message as it travels. */
  letter(message: PeerMessage): Letter {
    return { regionId: this.regionId, confVer: this.meta.confVer, message };
  }

  /** Store of a peer that the region has, or that was heard. */
  storeOf(peerId: string): number | undefined {
    return this.meta.peers.find(({ id }) => String(id) === peerId)?.storeId ?? this.contacts.places.get(peerId);
  }

  #slowestMatch(): number {
    return Math.min(...[...this.node.progress().values()].map(({ match }) => match));
  }

  #refuse(): { ok: false; error: LocalError } {
    if (this.isLeader) return busy('the lease of the leader is not valid');
    const { leader } = this.node;
    return { ok: false, error: { kind: 'NotLeader', leaderPeer: leader === null ? null : Number(leader) } };
  }
}

function busy(reason: string): { ok: false; error: LocalError } {
  return { ok: false, error: { kind: 'ServerIsBusy', reason } };
}
