import type { ClusterTimes } from '../../profiles.js';
import { RaftNode } from '../raft/node.js';
import type { Entry, PeerProgress, RaftRestored } from '../raft/types.js';
import type { RegionError } from './client-protocol.js';
import { createRegionState, encodePut, type PutCommand, type RegionState } from './kv.js';
import type { PeerMeta, RegionMeta } from './layout.js';

/** Outcome of one request to a region; `null` of a write means done. */
export type RegionResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: LocalError };

/** As {@link RegionError}, with the leader's peer id instead of an address, which a region does not know. */
export type LocalError =
  | Exclude<RegionError, { kind: 'NotLeader' }>
  | { readonly kind: 'NotLeader'; readonly leaderPeer: number | null };

export interface RegionPeerOptions {
  readonly meta: RegionMeta;
  readonly storeId: number;
  readonly restored: RaftRestored;
  readonly times: ClusterTimes;
  readonly random: () => number;
}

/** Log entries after which a region truncates its log. */
const COMPACT_AFTER = 256;
/** A peer that lags holds back the truncation until the log is this long (TiKV: `raft-log-gc-count-limit`). */
const COMPACT_REGARDLESS = 32 * COMPACT_AFTER;
/** Writes under way in one region; more is answered ServerIsBusy. */
const MAX_WAITING = 1024;

interface WaitingWrite {
  readonly term: number;
  readonly done: (result: RegionResult<null>) => void;
}

interface WaitingRead {
  readonly index: number;
  readonly key: string;
  readonly done: (result: RegionResult<string | null>) => void;
}

/** One replica of one region: its Raft member, its data, and the requests that wait for either. */
export class RegionPeer {
  readonly meta: RegionMeta;
  readonly self: PeerMeta;
  readonly node: RaftNode;
  readonly state: RegionState = createRegionState();
  readonly #writes = new Map<number, WaitingWrite>();
  #reads: WaitingRead[] = [];
  /** Monotonic ms of the last message of each peer, by peer id. */
  readonly #heardAt = new Map<string, number>();

  constructor({ meta, storeId, restored, times, random }: RegionPeerOptions) {
    const self = meta.peers.find((peer) => peer.storeId === storeId);
    if (self === undefined) throw new Error(`region ${meta.id} has no peer on store ${storeId}`);
    this.meta = meta;
    this.self = self;
    const voters = meta.peers.map((peer) => String(peer.id));
    const { raftElectionTicks: electionTicks, raftHeartbeatTicks: heartbeatTicks } = times;
    this.node = new RaftNode({ id: String(self.id), voters, electionTicks, heartbeatTicks, random }, restored);
    if (restored.snapshot !== null) this.state.restore(restored.snapshot.data);
  }

  get isLeader(): boolean {
    return this.node.role === 'leader';
  }

  /** Leads and has committed an entry of its own term, so that its word is the region's. */
  get isServing(): boolean {
    return this.node.readIndex() !== null;
  }

  read(key: string): Promise<RegionResult<string | null>> {
    const index = this.node.readIndex();
    if (index === null) return Promise.resolve(this.#refuse());
    if (index <= this.node.appliedIndex) return Promise.resolve({ ok: true, value: this.state.get(key) });
    return new Promise((done) => {
      this.#reads.push({ index, key, done });
    });
  }

  write(command: PutCommand): Promise<RegionResult<null>> {
    if (this.#writes.size >= MAX_WAITING) return Promise.resolve(busy('too many writes are under way'));
    const proposed = this.node.propose(encodePut(command));
    if (!proposed.ok) return Promise.resolve(this.#refuse());
    return new Promise((done) => {
      this.#writes.set(proposed.index, { term: proposed.term, done });
    });
  }

  /** Applies entries that the log committed, and answers who waited for them. */
  apply(committed: readonly Entry[]): void {
    for (const { index, term, data } of committed) {
      if (data !== '') this.state.apply(data);
      const waiting = this.#writes.get(index);
      this.#writes.delete(index);
      waiting?.done(waiting.term === term ? { ok: true, value: null } : STALE);
    }
    const applied = committed.at(-1)?.index ?? 0;
    const ready = this.#reads.filter(({ index }) => index <= applied);
    this.#reads = this.#reads.filter(({ index }) => index > applied);
    for (const { key, done } of ready) done({ ok: true, value: this.state.get(key) });
  }

  /** Leadership is gone: what becomes of the waiting writes is unknown here. */
  dropWaiting(): void {
    for (const { done } of [...this.#writes.values(), ...this.#reads]) done(STALE);
    this.#writes.clear();
    this.#reads = [];
  }

  /** Truncates the log when it grew long, unless a peer still needs it. */
  compactIfLong(): void {
    const { appliedIndex, snapshotIndex } = this.node;
    const length = appliedIndex - snapshotIndex;
    if (length < COMPACT_AFTER) return;
    if (this.isLeader && length < COMPACT_REGARDLESS && this.#slowestMatch() < appliedIndex) return;
    this.node.compact(appliedIndex, this.state.snapshot());
  }

  heard(peer: string, now: number): void {
    this.#heardAt.set(peer, now);
  }

  /** A new leader gives everybody the benefit of the doubt. */
  heardAll(now: number): void {
    for (const peer of this.meta.peers) this.heard(String(peer.id), now);
  }

  silentMs(peerId: number, now: number): number {
    return now - (this.#heardAt.get(String(peerId)) ?? now);
  }

  #slowestMatch(): number {
    return Math.min(...[...this.node.progress().values()].map((progress: PeerProgress) => progress.match));
  }

  #refuse(): { ok: false; error: LocalError } {
    if (this.isLeader) return busy('the lease of the leader is not valid');
    const { leader } = this.node;
    return { ok: false, error: { kind: 'NotLeader', leaderPeer: leader === null ? null : Number(leader) } };
  }
}

const STALE = { ok: false, error: { kind: 'StaleCommand' } } as const;

function busy(reason: string): { ok: false; error: LocalError } {
  return { ok: false, error: { kind: 'ServerIsBusy', reason } };
}
