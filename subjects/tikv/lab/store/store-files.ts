import { join } from 'node:path';
import { readJson, writeJson } from './json-file.js';
import type { RegionMeta } from './layout.js';

/** Who this store is; written once and never changed, because PD binds an address to an id for good. */
export interface Identity {
  /** Of the PD cluster, as text: it exceeds 2^53. */
  readonly clusterId: string;
  readonly storeId: number;
}

/** Addresses of the other stores by id, as last learned from PD, so that a restart needs nobody. */
export type AddressBook = Readonly<Record<number, string>>;

/** The small files of a data directory beside the Raft log. */
export interface StoreFiles {
  readonly raftDir: string;
  /** Null before the first start got an id. */
  identity(): Identity | null;
  saveIdentity(identity: Identity): void;
  /** Regions that the store was founded with; null before it was. What became of them is in the Raft log. */
  regions(): RegionMeta[] | null;
  saveRegions(regions: readonly RegionMeta[]): void;
  addresses(): AddressBook;
  saveAddresses(book: AddressBook): void;
}

/** The files of one data directory; it is created with the first of them. */
export function storeFiles(dataDir: string): StoreFiles {
  const file = (name: string) => join(dataDir, name);
  return {
    raftDir: file('raft'),
    identity: () => readJson(file('store.json')),
    saveIdentity: (identity) => writeJson(file('store.json'), identity),
    regions: () => readJson(file('regions.json')),
    saveRegions: (regions) => writeJson(file('regions.json'), regions),
    addresses: () => readJson(file('addresses.json')) ?? {},
    saveAddresses: (book) => writeJson(file('addresses.json'), book),
  };
}
