import { isOfLeader } from './contacts.js';
import type { RegionPeer } from './region-peer.js';
import type { PeerMessage } from './store-frames.js';

/**
 * What a message is to this store. `stale`: for a peer that is gone or never was. `occupied`: for a peer that is newer
 * than the one here, which has to go first. `unknown`: a leader asks for a peer that does not exist yet.
 */
export type Admission =
  | { readonly kind: 'known'; readonly region: RegionPeer }
  | { readonly kind: 'occupied'; readonly region: RegionPeer }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'stale' };

/** The peers of a store by region, and the ids of those that are gone for good. */
export class PeerTable {
  readonly #byId: Map<number, RegionPeer>;
  readonly #gone: Map<number, number>;

  /** `gone`: the last peer of a region that was destroyed here, by region id. */
  constructor(peers: readonly RegionPeer[], gone: ReadonlyMap<number, number>) {
    this.#byId = new Map(peers.map((peer) => [peer.regionId, peer]));
    this.#gone = new Map(gone);
  }

  get all(): RegionPeer[] {
    return [...this.#byId.values()];
  }

  /** Peers that belong to their regions, as far as is known here. */
  get members(): RegionPeer[] {
    return this.all.filter(({ isMember }) => isMember);
  }

  get(regionId: number): RegionPeer | undefined {
    return this.#byId.get(regionId);
  }

  has(region: RegionPeer): boolean {
    return this.#byId.get(region.regionId) === region;
  }

  add(region: RegionPeer): void {
    this.#byId.set(region.regionId, region);
  }

  /** The id stays taken: a late message must not bring the peer back. */
  remove({ regionId, peerId }: RegionPeer): void {
    this.#byId.delete(regionId);
    this.#gone.set(regionId, peerId);
  }

  /** Peer ids of a region rise, so what is older than the newest known here is gone for good. */
  admit(regionId: number, message: PeerMessage): Admission {
    const region = this.#byId.get(regionId);
    const to = Number(message.to);
    if (region?.peerId === to) return { kind: 'known', region };
    if (to <= (region?.peerId ?? this.#gone.get(regionId) ?? 0) || !isOfLeader(message)) return { kind: 'stale' };
    return region === undefined ? { kind: 'unknown' } : { kind: 'occupied', region };
  }
}
