import type { StoredGroup } from '../raft/storage.js';
import type { RaftRestored } from '../raft/types.js';
import { decodeNote } from './peer-note.js';

/** One peer as it was when the process ended. */
export interface StoredPeer {
  readonly regionId: number;
  readonly peerId: number;
  /** `conf_ver` of a configuration to which it belonged. */
  readonly since: number;
  readonly restored: RaftRestored;
}

export interface PeersOnDisk {
  readonly places: readonly StoredPeer[];
  /** The last peer of each region that was destroyed here, by region id. */
  readonly gone: ReadonlyMap<number, number>;
}

/** Sorts what the disk knows by what its notes say. A group without a note is nobody's. */
export function peersOnDisk(groups: ReadonlyMap<string, StoredGroup>): PeersOnDisk {
  const places: StoredPeer[] = [];
  const gone = new Map<number, number>();
  for (const [group, { note, ...restored }] of groups) {
    if (note === undefined) continue;
    const { peer, since, gone: isGone } = decodeNote(note);
    if (isGone) gone.set(Number(group), peer);
    else places.push({ regionId: Number(group), peerId: peer, since, restored });
  }
  return { places, gone };
}
