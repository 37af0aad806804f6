import type { RaftStorage, StoredGroup } from '../raft/storage.js';
import type { Rows } from './kv.js';
import type { RegionMeta } from './layout.js';
import { encodeNote } from './peer-note.js';
import { encodeSnapshot } from './region-snapshot.js';

export interface OlderDataOptions {
  readonly storage: Pick<RaftStorage, 'save'>;
  readonly groups: ReadonlyMap<string, StoredGroup>;
  /** Regions as the store was founded with them; in the data of a lab before 0.2 nothing could change them. */
  readonly regions: readonly RegionMeta[];
  readonly storeId: number;
}

/**
 * Rewrites the data of a lab in which regions could not change: their snapshots held the rows alone.
 *
 * @returns the groups as they are now
 */
export async function renewOlderData(options: OlderDataOptions): Promise<ReadonlyMap<string, StoredGroup>> {
  const { groups, storage } = options;
  const renewed = new Map(
    options.regions.flatMap((region) => {
      const known = groups.get(String(region.id));
      return known === undefined || known.note !== undefined ? [] : [renew(region, known, options)];
    }),
  );
  const writes = [...renewed].map(([group, { note, hardState, entries, snapshot }]) => ({
    group,
    erase: true as const,
    ...(note !== undefined && { note }),
    ready: { hardState, entries, ...(snapshot && { snapshot }), mustSync: true },
  }));
  await storage.save(writes);
  return new Map([...groups, ...renewed]);
}

function renew(older: RegionMeta, group: StoredGroup, { storeId }: OlderDataOptions): [string, StoredGroup] {
  const region: RegionMeta = { ...older, peers: older.peers.map((peer) => ({ ...peer, role: 'Voter' })) };
  const self = region.peers.find((peer) => peer.storeId === storeId);
  if (group.snapshot === null || self === undefined) throw new Error(`region ${older.id} on disk is not of this lab`);
  const data = encodeSnapshot({ region, rows: JSON.parse(group.snapshot.data) as Rows });
  const note = encodeNote({ peer: self.id, since: region.confVer });
  return [String(region.id), { ...group, snapshot: { ...group.snapshot, data }, note }];
}
