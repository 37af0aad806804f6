import type { ClusterTimes } from '../../profiles.js';
import type { RegionPeer } from './region-peer.js';
import type { Letter, PeerMessage } from './store-frames.js';

export interface FarewellOptions {
  readonly times: ClusterTimes;
  readonly send: (storeId: number, letter: Letter) => void;
  readonly monotonicMs: () => number;
  /** Nobody leads this peer for a long time, and nobody dismissed it: PD may know whether it still belongs. */
  readonly onStranded: (region: RegionPeer) => void;
}

/**
 * How a peer learns that it was removed. It may not go by itself: until every voter has applied its removal, one of them
 * may need its vote. So it asks, the leader dismisses it when the time has come, and who finds no leader asks PD.
 */
export interface Farewell {
  /** Called at each tick. Asks where there is reason to. */
  look(region: RegionPeer): void;
  /** Asks at once: a newer peer of the region is to come to this store. */
  ask(region: RegionPeer): void;
}

/** Election timeouts without a leader after which PD is asked. TiKV takes two hours, far too long for a lab. */
const STRANDED_AFTER = 4;

/** Has asked nothing yet. */
export function createFarewell({ times, send, monotonicMs, onStranded }: FarewellOptions): Farewell {
  const electionMs = times.raftElectionTicks * times.raftTickMs;
  const heartbeatMs = times.raftHeartbeatTicks * times.raftTickMs;
  const askedAt = new WeakMap<RegionPeer, number>();

  function ask(region: RegionPeer): void {
    const listed = region.meta.peers.map(({ id, storeId }) => [String(id), storeId] as const);
    const everybody = new Map([...region.contacts.places, ...listed]);
    everybody.delete(String(region.peerId));
    for (const [to, storeId] of everybody) {
      send(storeId, region.letter({ type: 'am-i-member', from: String(region.peerId), to }));
    }
  }

  return {
    ask,
    look(region) {
      const { contacts } = region;
      if (region.isLeader) return contacts.leads();
      const isOutside = region.isInitialized && !region.isMember;
      const leaderlessMs = contacts.leaderlessMs();
      if (!isOutside && leaderlessMs < electionMs) return;
      const sinceMs = monotonicMs() - (askedAt.get(region) ?? Number.NEGATIVE_INFINITY);
      if (sinceMs < (isOutside ? heartbeatMs : electionMs)) return;
      askedAt.set(region, monotonicMs());
      ask(region);
      if (leaderlessMs >= STRANDED_AFTER * electionMs) onStranded(region);
    },
  };
}

/**
 * The leader's answer to a peer that asks; null where there is none: it belongs, or may be needed, or this is no leader
 * that knows. A peer exists only by an applied change, so a leader that knows of everything committed and does not list
 * it has removed it.
 */
export function farewellTo(region: RegionPeer | undefined, message: PeerMessage): Letter | null {
  if (region === undefined || !isSure(region)) return null;
  if (region.meta.peers.some(({ id }) => String(id) === message.from) || !region.isSettled) return null;
  return region.letter({ type: 'dismissed', from: String(region.peerId), to: message.from });
}

function isSure({ node }: RegionPeer): boolean {
  const readIndex = node.readIndex();
  return readIndex !== null && readIndex <= node.appliedIndex;
}
