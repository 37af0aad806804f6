import type { Ready } from '../raft/member.js';
import type { GroupWrite, RaftStorage } from '../raft/storage.js';
import type { Log } from './log.js';
import type { StoreMetrics } from './metrics.js';
import { encodeNote } from './peer-note.js';
import type { PeerTable } from './peer-table.js';
import type { RegionPeer } from './region-peer.js';
import type { Letter } from './store-frames.js';

export interface RoundsOptions {
  readonly table: PeerTable;
  /** One write and one sync for what many regions have to persist. */
  readonly disk: Pick<RaftStorage, 'save'>;
  /** Hands a message to the transport; all messages of one round are followed by one `flush`. */
  readonly send: (storeId: number, letter: Letter) => void;
  readonly flush: () => void;
  /** The region has done its work of a round. */
  readonly onDone: (region: RegionPeer) => void;
  /** A change of members is in force on its leader: PD waits for it. */
  readonly onMembers: (region: RegionPeer) => void;
  /** The disk failed: a store that cannot persist must not go on. */
  readonly onFatal: (error: Error) => void;
  readonly log: Log;
  readonly metrics: StoreMetrics;
}

/** Rounds of persist, send, apply: the work that the Raft members of a store have to do, many regions at a time. */
export interface Rounds {
  /** The region may have something to do. */
  wake(region: RegionPeer): void;
  /** A new peer: the disk learns of it before it answers anybody. */
  begin(region: RegionPeer): void;
  /** Erases the peer with its log and data, and its answers stop; the disk remembers that it existed. */
  end(region: RegionPeer): void;
  /** What is not yet written is lost, as in a crash. */
  stop(): void;
}

interface Round {
  readonly readies: ReadonlyMap<RegionPeer, Ready>;
  readonly ending: readonly RegionPeer[];
}

/** The peers that the table holds already get their first round at the first `wake`. */
export function createRounds(options: RoundsOptions): Rounds {
  const { disk, log, metrics, table } = options;
  const dirty = new Set<RegionPeer>(table.all);
  const beginning = new Set<RegionPeer>();
  const ending = new Set<RegionPeer>();
  let running = false;
  let stopped = false;

  function wake(region: RegionPeer): void {
    dirty.add(region);
    if (!running && !stopped) void run().catch(options.onFatal);
  }

  async function run(): Promise<void> {
    running = true;
    // What came in with the same turn of the event loop shares a round; nothing may keep the loop from turning.
    await new Promise(setImmediate);
    for (let round = takeRound(); !isEmpty(round) && !stopped; round = takeRound()) {
      const took = metrics.appendSeconds.startTimer();
      await disk.save(writesOf(round));
      took();
      if (stopped) return;
      for (const [region, ready] of round.readies) finish(region, ready);
      for (const region of round.ending) destroyed(region);
      options.flush();
      await new Promise(setImmediate);
    }
    running = false;
  }

  function takeRound(): Round {
    const readies = new Map<RegionPeer, Ready>();
    for (const region of dirty) {
      const ready = table.has(region) && !ending.has(region) ? region.node.ready() : null;
      if (ready !== null) readies.set(region, ready);
    }
    dirty.clear();
    return { readies, ending: [...ending] };
  }

  function writesOf(round: Round): GroupWrite[] {
    const kept = [...round.readies].map(([region, ready]) =>
      beginning.delete(region) ? beginningOf(region, ready) : { group: String(region.regionId), ready },
    );
    return [...kept, ...round.ending.map(endOf)];
  }

  function finish(region: RegionPeer, ready: Ready): void {
    for (const message of ready.messages) {
      const storeId = region.storeOf(message.to);
      if (storeId !== undefined) options.send(storeId, region.letter(message));
    }
    if (ready.snapshot !== undefined) {
      region.restore(ready.snapshot);
      log.info('apply.rs', 'snapshot is applied', { ...nameOf(region), index: ready.snapshot.index });
    }
    const took = ready.committed.length > 0 ? metrics.applySeconds.startTimer() : undefined;
    const added = region.apply(ready.committed, ready.changes);
    took?.();
    region.node.advance();
    if (ready.changes.length > 0) changed(region);
    // A new peer gets the region as it is now, itself among the members, and not a snapshot of long ago.
    if (added.length > 0 && region.isLeader) region.compact();
    region.compactIfLong();
    options.onDone(region);
    dirty.add(region);
  }

  function changed(region: RegionPeer): void {
    const { confVer, peers } = region.meta;
    const shown = peers.map(({ id, storeId, role }) => `${id}@${storeId} ${role}`).join(', ');
    log.info('apply.rs', 'conf change successfully', { ...nameOf(region), conf_ver: confVer, peers: shown });
    if (region.isLeader) options.onMembers(region);
  }

  function destroyed(region: RegionPeer): void {
    ending.delete(region);
    beginning.delete(region);
    region.dropWaiting();
    table.remove(region);
    log.info('peer.rs', 'peer destroy itself', nameOf(region));
  }

  return {
    wake,
    begin(region) {
      beginning.add(region);
      wake(region);
    },
    end(region) {
      ending.add(region);
      wake(region);
    },
    stop() {
      stopped = true;
    },
  };
}

function isEmpty({ readies, ending }: Round): boolean {
  return readies.size === 0 && ending.length === 0;
}

function beginningOf({ regionId, peerId, since }: RegionPeer, ready: Ready): GroupWrite {
  const note = encodeNote({ peer: peerId, since });
  return { group: String(regionId), ready: { ...ready, mustSync: true }, erase: true, note };
}

function endOf({ regionId, peerId, since }: RegionPeer): GroupWrite {
  const note = encodeNote({ peer: peerId, since, gone: true });
  return { group: String(regionId), ready: { entries: [], mustSync: true }, erase: true, note };
}

function nameOf({ regionId, peerId }: RegionPeer): { region_id: number; peer_id: number } {
  return { region_id: regionId, peer_id: peerId };
}
