import type { StoreArgs } from './args.js';
import type { StoreMessage } from './pd-messages.js';

/** Version that PD is told; of the TiKV whose behaviour was recorded. */
export const STORE_VERSION = '8.5.8';

/** As PD shall know this store; its id comes with joining. */
export function storeMessage(args: StoreArgs, startedAt: Date): Omit<StoreMessage, 'id'> {
  return {
    address: args.address,
    peer_address: args.address,
    status_address: args.statusAddress,
    version: STORE_VERSION,
    git_hash: '0'.repeat(40),
    start_timestamp: Math.floor(startedAt.getTime() / 1000),
    deploy_path: args.dataDir,
    labels: [{ key: 'host', value: args.name }],
  };
}
