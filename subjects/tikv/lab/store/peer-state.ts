import type { Entry, Installed } from '../raft/types.js';
import { createRegionState, type RegionState } from './kv.js';
import type { PeerMeta, RegionMeta } from './layout.js';
import { changedRegion } from './region-change.js';
import { decodeSnapshot, encodeSnapshot } from './region-snapshot.js';

/** Everything that Raft replicates of one region: its data, and what it is. Changed by applied entries and snapshots only. */
export interface PeerState {
  readonly meta: RegionMeta;
  readonly data: RegionState;
  /** Index of the newest change of members that is applied, or of the snapshot that holds it. */
  readonly changedAt: number;
  /** `change`: what the entry makes of the group, for an entry that changes it. Returns peers that are new. */
  apply(entry: Entry, change: Installed | undefined): readonly PeerMeta[];
  restore(snapshot: { readonly index: number; readonly data: string }): void;
  /** Text for the log's snapshot. */
  snapshot(): string;
}

/** A peer without peers: it was told that it belongs to the region, and knows nothing else yet. */
export function createPeerState(regionId: number): PeerState {
  const data = createRegionState();
  let meta: RegionMeta = { id: regionId, startKey: '', endKey: '', confVer: 0, version: 0, peers: [] };
  let changedAt = 0;
  return {
    get meta() {
      return meta;
    },
    data,
    get changedAt() {
      return changedAt;
    },
    apply(entry, change) {
      if (change === undefined) {
        if (entry.data !== '') data.apply(entry.data);
        return [];
      }
      const before = new Set(meta.peers.map(({ id }) => id));
      meta = changedRegion(meta, entry, change.membership);
      changedAt = entry.index;
      return meta.peers.filter(({ id }) => !before.has(id));
    },
    restore({ index, data: text }) {
      const { region, rows } = decodeSnapshot(text);
      meta = region;
      data.restore(rows);
      changedAt = index;
    },
    snapshot: () => encodeSnapshot({ region: meta, rows: data.rows() }),
  };
}
