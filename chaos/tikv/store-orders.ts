import { MedicError } from '../../src/domain/errors.js';
import type { ChaosLab, TargetWish } from '../protocol.js';
import { orderFault } from './order-fault.js';
import { readPd, type StoreInPd, storesInPd } from './pd-api.js';
import { storeToHit } from './process-fault.js';

const STRANGLED = 0.1;

/**
 * As on a cluster that holds something: PD lets each store take 15 full regions a minute (TiKV split at 96 MiB by default
 * before 8.4). A store with a few tiny ones is a Tombstone before anybody can look.
 */
const MUCH = { regions: 60, regionMib: 96 };

/** As somebody who meant another store. Nothing happens to its process; PD moves its regions away. */
export const storeOfflineByMistake = orderFault({
  name: 'store_offline_by_mistake',
  describe: 'PD is told to remove a store that is well; its regions are to be moved away.',
  targets: 'store',
  rightEnd: { kind: 'repaired' },
  wants: MUCH,
  confirmWithinMs: 3_000,
  plan: async (lab, wish) => {
    const { name, id } = await storeInPd(lab, wish);
    const state = (to: string) => ({ method: 'POST' as const, path: `/store/${id}/state?state=${to}` });
    return { target: name, orders: [state('Offline')], undo: [state('Up')], storeId: id };
  },
  look: async (topology, { target }) => {
    const state = (await storesInPd(topology)).find(({ name }) => name === target)?.state ?? 'not listed';
    const stands = state === 'Offline' || state === 'Tombstone' || state === 'not listed';
    return { stands, hasEffect: stands, words: `PD calls ${target} ${state}` };
  },
});

/** As somebody who slowed a store down for a while. It shows only where PD would have to move something. */
export const storeLimitStrangled = orderFault({
  name: 'store_limit_strangled',
  describe: 'PD is told to move no more than a peer in ten minutes to or from a store.',
  targets: 'store',
  rightEnd: { kind: 'repaired' },
  confirmWithinMs: 3_000,
  plan: async (lab, wish) => {
    const { name, id } = await storeInPd(lab, wish);
    const old = (await limitsIn(lab.lab.topology()))[id];
    if (!old) throw new MedicError('MEDIC_CHAOS_TARGET', `PD shows no limit of ${name}`);
    const set = (type: 'add-peer' | 'remove-peer', rate: number) => ({
      method: 'POST' as const,
      path: `/store/${id}/limit`,
      body: { type, rate },
    });
    return {
      target: name,
      orders: [set('add-peer', STRANGLED), set('remove-peer', STRANGLED)],
      undo: [set('add-peer', old['add-peer']), set('remove-peer', old['remove-peer'])],
      storeId: id,
    };
  },
  look: async (topology, { target, detail: { storeId } }) => {
    const limit = (await limitsIn(topology))[String(storeId)];
    const [add, remove] = [limit?.['add-peer'], limit?.['remove-peer']];
    const stands = add === STRANGLED || remove === STRANGLED;
    return { stands, hasEffect: stands, words: `${target} may take ${add} and give ${remove} peers a minute` };
  },
});

type Limits = Readonly<Record<string, { readonly 'add-peer': number; readonly 'remove-peer': number }>>;

const limitsIn = (topology: Parameters<typeof readPd>[0]): Promise<Limits> => readPd<Limits>(topology, '/stores/limit');

async function storeInPd(lab: ChaosLab, wish: TargetWish): Promise<StoreInPd> {
  const { name } = await storeToHit(lab, wish);
  const found = (await storesInPd(lab.lab.topology())).find((store) => store.name === name);
  if (found) return found;
  throw new MedicError('MEDIC_CHAOS_TARGET', `PD does not list ${name}`);
}
