import type { Log } from './log.js';
import type { PdLink } from './pd-link.js';
import type { AddressBook, StoreFiles } from './store-files.js';

export interface AddressesOptions {
  readonly files: Pick<StoreFiles, 'addresses' | 'saveAddresses'>;
  readonly link: Pick<PdLink, 'call'>;
  readonly log: Log;
}

/** Where the other stores listen: from disk, so that a restart needs nobody, and refreshed from PD when one moved. */
export interface Addresses {
  of(storeId: number): string | undefined;
  readonly storeIds: readonly number[];
  learn(book: AddressBook): void;
  /** Asks PD, not more than a few times per second for each store; an unreachable PD or an unchanged address changes nothing. */
  refresh(storeId: number): Promise<void>;
}

/** Whoever has messages for a store asks again and again. */
const ASK_AGAIN_MS = 300;

/** Starts with what the data directory remembers. */
export function openAddresses({ files, link, log }: AddressesOptions): Addresses {
  let book: AddressBook = files.addresses();
  const asked = new Set<number>();
  function learn(news: AddressBook): void {
    book = { ...book, ...news };
    files.saveAddresses(book);
  }
  return {
    of: (storeId) => book[storeId],
    get storeIds() {
      return Object.keys(book).map(Number);
    },
    learn,
    async refresh(storeId) {
      if (asked.has(storeId)) return;
      asked.add(storeId);
      const reply = await link.call('GetStore', { store_id: storeId }).catch(() => null);
      setTimeout(() => asked.delete(storeId), ASK_AGAIN_MS).unref();
      const address = reply?.store?.address;
      if (address === undefined || address === '' || address === book[storeId]) return;
      learn({ [storeId]: address });
      log.info('resolve.rs', 'resolve store address ok', { store_id: storeId, addr: address });
    },
  };
}
