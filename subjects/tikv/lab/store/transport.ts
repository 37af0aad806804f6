import { connectLink, type DownReason, type Link } from '../peer-link.js';
import type { Log } from './log.js';
import type { StoreMetrics } from './metrics.js';
import type { Letter, PeerMessage, PongFrame, RaftFrame } from './store-frames.js';

export interface TransportOptions {
  readonly storeId: number;
  /** Where a store listens now, as far as known. */
  readonly addressOf: (storeId: number) => string | undefined;
  /** The store could not be reached for a while, or was never heard of: PD may know where it is. */
  readonly onStaleAddress: (storeId: number) => void;
  /** Messages for the store were lost. */
  readonly onUnreachable: (storeId: number) => void;
  /** The connection to the store broke, or could not be made. */
  readonly onDown: (storeId: number) => void;
  readonly onPong: (storeId: number, seq: number) => void;
  /** Wait between two attempts to connect. */
  readonly retryMs: number;
  readonly log: Log;
  readonly metrics: StoreMetrics;
}

/** What the network inspection needs to know of a link: nothing listening is not the same as not answering. */
export type LinkState = 'up' | 'refused' | 'down';

/** This store's outgoing side: one connection to each other store, for Raft messages and pings. */
export interface Transport {
  /** Messages of one round are collected until `flush`, which sends one frame to each store. */
  send(storeId: number, letter: Letter): void;
  flush(): void;
  ping(storeId: number, seq: number): void;
  state(storeId: number): LinkState;
  close(): void;
}

interface Neighbour {
  readonly address: string;
  readonly link: Link;
  failures: number;
  lastReason: DownReason | null;
}

/** Failures in a row after which PD is asked for the address again. */
const STALE_AFTER = 5;

/** Connects to a store with the first message for it, and keeps trying for as long as the address stands. */
export function createTransport(options: TransportOptions): Transport {
  const { log, metrics } = options;
  const neighbours = new Map<number, Neighbour>();
  const outbox = new Map<number, Letter[]>();

  function neighbour(storeId: number): Neighbour | undefined {
    const address = options.addressOf(storeId);
    const known = neighbours.get(storeId);
    if (address === undefined || known?.address === address) return known;
    known?.link.close();
    const fresh = open(storeId, address);
    neighbours.set(storeId, fresh);
    return fresh;
  }

  function open(storeId: number, address: string): Neighbour {
    const { hostname: host, port } = new URL(`tcp://${address}`);
    const fields = { addr: address, store_id: storeId };
    const link = connectLink({
      host,
      port: Number(port),
      retryMs: () => options.retryMs,
      onFrame: (message) => options.onPong(storeId, (message as PongFrame).seq),
      onUp: () => {
        log.info('raft_client.rs', 'connection established', { ...fields, try_count: self.failures });
        self.failures = 0;
        self.lastReason = null;
      },
      onDown: (reason) => down(storeId, self, reason),
    });
    const self: Neighbour = { address, link, failures: 0, lastReason: null };
    log.info('raft_client.rs', 'server: new connection with tikv endpoint', fields);
    return self;
  }

  function down(storeId: number, self: Neighbour, reason: DownReason): void {
    self.failures += 1;
    self.lastReason = reason;
    const fields = { addr: self.address, store_id: storeId };
    if (self.failures === 1) {
      log.warn('raft_client.rs', 'connection aborted', { ...fields, reason });
      log.info('store.rs', 'broadcasting unreachable', { unreachable_store_id: storeId, store_id: options.storeId });
    }
    if (self.failures % STALE_AFTER === 0) {
      log.warn('raft_client.rs', 'wait connect timeout', { ...fields, reason });
      options.onStaleAddress(storeId);
    }
    options.onDown(storeId);
    options.onUnreachable(storeId);
  }

  function flushTo(storeId: number, letters: readonly Letter[]): void {
    const frame: RaftFrame = { kind: 'raft', fromStore: options.storeId, letters };
    const result = neighbour(storeId)?.link.send(frame) ?? 'dropped';
    for (const { message } of letters) {
      metrics.raftSent.inc({ type: METRIC_TYPES[message.type], status: result === 'queued' ? 'accept' : 'drop' });
    }
    if (result === 'queued') return;
    if (!neighbours.has(storeId)) options.onStaleAddress(storeId);
    metrics.reportFailures.inc({ type: 'unreachable', store_id: storeId }, letters.length);
    options.onUnreachable(storeId);
  }

  return {
    send(storeId, letter) {
      const letters = outbox.get(storeId) ?? [];
      letters.push(letter);
      outbox.set(storeId, letters);
    },
    flush() {
      for (const [storeId, letters] of outbox) flushTo(storeId, letters);
      outbox.clear();
    },
    ping(storeId, seq) {
      neighbour(storeId)?.link.send({ kind: 'ping', seq });
    },
    state(storeId) {
      const known = neighbours.get(storeId);
      if (known?.link.up) return 'up';
      return known?.lastReason === 'refused' ? 'refused' : 'down';
    },
    close() {
      for (const { link } of neighbours.values()) link.close();
    },
  };
}

/** Label values of `tikv_raftstore_raft_sent_message_total`. */
const METRIC_TYPES: Record<PeerMessage['type'], string> = {
  'pre-vote': 'prevote',
  'pre-vote-reply': 'prevote_resp',
  vote: 'vote',
  'vote-reply': 'vote_resp',
  append: 'append',
  'append-reply': 'append_resp',
  heartbeat: 'heartbeat',
  'heartbeat-reply': 'heartbeat_resp',
  snapshot: 'snapshot',
  'timeout-now': 'timeout_now',
  outdated: 'append_resp',
  'am-i-member': 'extra',
  dismissed: 'gc_peer',
};
