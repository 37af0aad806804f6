import type { PeerPlace } from './layout.js';
import type { PeerMessage } from './store-frames.js';

/** When this peer heard the others of its region, and where they are. Times are monotonic, in ms. */
export interface Contacts {
  /** A message came in. */
  heard(message: PeerMessage, fromStore: number): void;
  /** A peer is on that store, although it said nothing to this one. */
  met(peerId: string, storeId: number): void;
  /** Gives those who are known to be there, and were not heard yet, the benefit of the doubt. */
  greet(peers: readonly PeerPlace[]): void;
  /** The same for everybody: a new leader cannot know how long the others were silent. */
  greetAll(peers: readonly PeerPlace[]): void;
  /** Ms since the peer said anything. */
  silentMs(peerId: number): number;
  /** Ms since a leader spoke here. */
  leaderlessMs(): number;
  /** This peer leads. */
  leads(): void;
  /** Stores of those who were heard or met, by peer id; they may stand in no configuration that is known here. */
  readonly places: ReadonlyMap<string, number>;
}

/** Starts with nobody heard. */
export function createContacts(monotonicMs: () => number): Contacts {
  const heardAt = new Map<string, number>();
  const places = new Map<string, number>();
  let ledAt = monotonicMs();
  const greetAll = (peers: readonly PeerPlace[]) => {
    for (const { id } of peers) heardAt.set(String(id), monotonicMs());
  };
  return {
    heard(message, fromStore) {
      heardAt.set(message.from, monotonicMs());
      places.set(message.from, fromStore);
      if (isOfLeader(message)) ledAt = monotonicMs();
    },
    met: (peerId, storeId) => void places.set(peerId, storeId),
    greet: (peers) => greetAll(peers.filter(({ id }) => !heardAt.has(String(id)))),
    greetAll,
    silentMs: (peerId) => monotonicMs() - (heardAt.get(String(peerId)) ?? monotonicMs()),
    leaderlessMs: () => monotonicMs() - ledAt,
    leads() {
      ledAt = monotonicMs();
    },
    places,
  };
}

/** Only a leader says this, and only to members of a configuration that it has applied. */
export function isOfLeader({ type }: PeerMessage): boolean {
  return type === 'append' || type === 'heartbeat' || type === 'snapshot';
}
