import { setTimeout as sleep } from 'node:timers/promises';
import type { RaftStorage, StoredGroup } from '../raft/storage.js';
import type { SeedStore } from './args.js';
import { type RegionMeta, type SeedRegion, seedLayout } from './layout.js';
import type { PdDirectory } from './pd-http.js';
import { encodeNote } from './peer-note.js';
import { encodeSnapshot } from './region-snapshot.js';
import type { AddressBook } from './store-files.js';

export interface SeedQuestion {
  readonly directory: PdDirectory;
  readonly seeds: readonly SeedStore[];
  readonly regions: number;
  readonly retryMs: number;
}

/** What a store of the first generation starts from. */
export interface Seed {
  readonly layout: readonly SeedRegion[];
  readonly addresses: AddressBook;
}

/** Waits until PD lists every seed store, which gives the ids that the layout needs. */
export async function resolveSeed({ directory, seeds, regions, retryMs }: SeedQuestion): Promise<Seed> {
  for (;;) {
    const listed = await directory.stores();
    const idOf = new Map(listed?.map(({ id, address }) => [address, id]));
    const storeIds = seeds.flatMap(({ address }) => idOf.get(address) ?? []);
    if (storeIds.length === seeds.length) {
      const addresses = Object.fromEntries(seeds.map(({ address }) => [idOf.get(address), address]));
      return { layout: seedLayout({ storeIds, regions }), addresses };
    }
    await sleep(retryMs);
  }
}

/**
 * TiKV's regions begin with a log that is already truncated at index 5. A peer at 0 is therefore known to lack
 * something, which is how a new leader's followers count as pending until they answer.
 */
const INITIAL_INDEX = 5;

/**
 * Writes the empty log of every given region, with the region itself and who of its peers is here.
 *
 * @returns the same, as it would be read back from the disk, by region id as text
 */
export async function writeSeedLogs(
  storage: Pick<RaftStorage, 'save'>,
  { regions, storeId }: { readonly regions: readonly RegionMeta[]; readonly storeId: number },
): Promise<Map<string, StoredGroup>> {
  const groups = new Map(regions.map((region) => [String(region.id), seedGroup(region, storeId)]));
  const writes = [...groups].map(([group, { note, ...log }]) => ({ group, note, ready: { ...log, mustSync: true } }));
  await storage.save(writes);
  return groups;
}

/** @throws Error for a region without a peer on this store */
function seedGroup(region: RegionMeta, storeId: number) {
  const self = region.peers.find((peer) => peer.storeId === storeId);
  if (self === undefined) throw new Error(`region ${region.id} has no peer on store ${storeId}`);
  const voters = region.peers.map((peer) => String(peer.id));
  const data = encodeSnapshot({ region, rows: [] });
  return {
    // Term 0 says that this peer never promised anything, so that the first election need not wait.
    hardState: { term: 0, vote: null, commit: INITIAL_INDEX },
    snapshot: { index: INITIAL_INDEX, term: 0, voters, data },
    entries: [],
    note: encodeNote({ peer: self.id, since: region.confVer }),
  };
}
