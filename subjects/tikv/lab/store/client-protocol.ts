/** What clients and stores say to a store's port, in frames of JSON. Ids are chosen by the asking side. */
export type ClientRequest =
  | { readonly kind: 'get'; readonly id: number; readonly regionId: number; readonly key: string }
  | {
      readonly kind: 'put';
      readonly id: number;
      readonly regionId: number;
      readonly key: string;
      readonly value: string;
    };

/** Where the leader seems to be. A follower may still name a store that is gone. */
export interface LeaderHint {
  readonly storeId: number;
  readonly address: string;
}

/**
 * Why a request was not served, under TiKV's names. After `StaleCommand` (leadership was lost on the way) a write may or
 * may not have happened; after the others it has not.
 */
export type RegionError =
  | { readonly kind: 'NotLeader'; readonly hint: LeaderHint | null }
  | { readonly kind: 'RegionNotFound' }
  | { readonly kind: 'KeyNotInRegion' }
  | { readonly kind: 'ServerIsBusy'; readonly reason: string }
  | { readonly kind: 'StaleCommand' };

export type ClientReply =
  | { readonly kind: 'value'; readonly id: number; readonly value: string | null }
  | { readonly kind: 'done'; readonly id: number }
  | { readonly kind: 'error'; readonly id: number; readonly error: RegionError };
