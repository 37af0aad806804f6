import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.js';
import { type Headless, type PdLink, PdUnavailable } from './pd-link.js';
import type { PdMethods, StoreMessage } from './pd-messages.js';
import type { Identity } from './store-files.js';

export interface JoinOptions {
  readonly link: PdLink;
  readonly log: Log;
  /** Wait between two tries while PD does not answer. */
  readonly retryMs: number;
  /** As PD shall know this store; the id is added. */
  readonly store: Omit<StoreMessage, 'id'>;
  /** Null at the first start. */
  readonly identity: Identity | null;
  readonly saveIdentity: (identity: Identity) => void;
}

/**
 * Joins the cluster: an id for life, the bootstrap if nobody did it yet, and the present address, version and start time.
 *
 * Waits for as long as PD needs. PutStore is repeated at every start, also by the store that bootstrapped: until the
 * first one PD believes in a cluster of version 0.0.0.
 *
 * @throws PdRefused when PD knows this store and will not have it (tombstone, duplicated address)
 */
export async function joinCluster(options: JoinOptions): Promise<Identity> {
  const { link, log } = options;
  const identity = options.identity ?? (await newIdentity(options));
  const store = { ...options.store, id: identity.storeId };
  if (options.identity === null) await bootstrapIfNeeded(store, options);
  await ask(options, 'PutStore', { store });
  log.info('node.rs', 'put store to PD', { store_id: identity.storeId, cluster_id: link.clusterId });
  return identity;
}

async function newIdentity(options: JoinOptions): Promise<Identity> {
  const { id } = await ask(options, 'AllocID', {});
  const identity = { clusterId: options.link.clusterId, storeId: Number(id) };
  options.saveIdentity(identity);
  options.log.info('node.rs', 'alloc store id', { store_id: identity.storeId });
  return identity;
}

/** Every new store tries; PD lets exactly one of them win. */
async function bootstrapIfNeeded(store: StoreMessage, options: JoinOptions): Promise<void> {
  while (!(await ask(options, 'IsBootstrapped', {})).bootstrapped) {
    await bootstrap(store, options).catch((error: Error) => {
      options.log.info('node.rs', 'bootstrap was done by another store', { why: error.message });
    });
  }
}

/** The whole key space with one peer here, as PD demands; the seed regions push it out. */
async function bootstrap(store: StoreMessage, options: JoinOptions): Promise<void> {
  const { id } = await ask(options, 'AllocID', {});
  const { id: peerId } = await ask(options, 'AllocID', {});
  const region = {
    id,
    start_key: Buffer.alloc(0),
    end_key: Buffer.alloc(0),
    region_epoch: { conf_ver: 1, version: 1 },
    peers: [{ id: peerId, store_id: store.id, role: 'Voter' as const }],
  };
  await options.link.call('Bootstrap', { store, region });
  options.log.info('node.rs', 'bootstrap cluster', { cluster_id: options.link.clusterId, region_id: id });
}

/**
 * Takes ids from PD until they lie above `last`: the seed layout chose ids by itself, and a peer that PD adds later must
 * not get one of them. Stores share the work.
 */
export async function passIds(options: Pick<JoinOptions, 'link' | 'retryMs'>, last: number): Promise<void> {
  for (let id = 0; id <= last; ) id = Number((await ask(options, 'AllocID', {})).id);
}

/** Repeats until PD answers. */
async function ask<M extends keyof PdMethods>(
  options: Pick<JoinOptions, 'link' | 'retryMs'>,
  method: M,
  request: Headless<M>,
): Promise<PdMethods[M]['response']> {
  for (;;) {
    try {
      return await options.link.call(method, request);
    } catch (error) {
      if (!(error instanceof PdUnavailable)) throw error;
    }
    await sleep(options.retryMs);
  }
}
