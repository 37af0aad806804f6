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
  /** Asks PD; an unreachable PD or an unchanged address changes nothing. */
  refresh(storeId: number): Promise<void>;
}

/** Starts with what the data directory remembers. */
export function openAddresses({ files, link, log }: AddressesOptions): Addresses {
  let book: AddressBook = files.addresses();
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
      const reply = await link.call('GetStore', { store_id: storeId }).catch(() => null);
      const address = reply?.store?.address;
      if (address === undefined || address === '' || address === book[storeId]) return;
      learn({ [storeId]: address });
      log.info('resolve.rs', 'resolve store address ok', { store_id: storeId, addr: address });
    },
  };
}
