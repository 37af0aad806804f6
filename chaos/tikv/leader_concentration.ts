import type { LabTopology } from '../../subjects/tikv/lab/labd/topology.js';
import type { Injection } from '../protocol.js';
import { type OrderDetail, orderFault } from './order-fault.js';
import { readPd, type StoreInPd, storesInPd } from './pd-api.js';
import { storeToHit } from './process-fault.js';

const BALANCE = 'balance-leader-scheduler';
/** Above an even share. PD balances no closer than by five leaders, and regions without a peer on the store stay elsewhere. */
const GAINED = 2;
/** PD moves a few leaders at a time. */
const CONFIRM_MS = 60_000;

const COMMON = {
  targets: 'store',
  rightEnd: { kind: 'repaired' },
  confirmWithinMs: CONFIRM_MS,
} as const;

/** As somebody who evicts stores one after the other for a rolling restart and forgets to end it. */
export const leaderConcentration = orderFault({
  ...COMMON,
  name: 'leader_concentration',
  moves: 'leaders',
  describe: 'All other stores are evicted by PD until one store leads all regions that it holds.',
  plan: async (lab, wish) => {
    const { name } = await storeToHit(lab, wish);
    const others = (await storesInPd(lab.lab.topology())).filter((store) => store.name !== name);
    return {
      target: name,
      orders: others.map(({ id }) => add('evict-leader-scheduler', id)),
      undo: others.map(({ id }) => remove('evict-leader-scheduler', id)),
      storeId: null,
    };
  },
  look: (topology, injection) => look(topology, injection, 'evict-leader-scheduler'),
});

/** Unpaused, balance-leader would move them back as fast as they come, so that leaders swing. */
export const leaderConcentrationGrant = orderFault({
  ...COMMON,
  name: 'leader_concentration_grant',
  moves: 'leaders',
  describe: 'All leaders are granted to one store while balance-leader is paused.',
  plan: async (lab, wish) => {
    const { name } = await storeToHit(lab, wish);
    const id = (await storesInPd(lab.lab.topology())).find((store) => store.name === name)?.id ?? 0;
    return {
      target: name,
      orders: [pause(3_600), add('grant-leader-scheduler', id)],
      undo: [remove('grant-leader-scheduler', id), pause(0)],
      storeId: id,
    };
  },
  look: (topology, injection) => look(topology, injection, 'grant-leader-scheduler'),
});

/**
 * As somebody who weighs stores down before work on them and forgets it: balance-leader does the rest. The harm is the
 * weights alone: what they leave uneven is within PD's tolerance.
 */
export const leaderConcentrationWeight = orderFault({
  ...COMMON,
  name: 'leader_concentration_weight',
  describe: 'The leader weight of all other stores is 0, so that PD moves all but a few of their leaders to one.',
  plan: async (lab, wish) => {
    const { name } = await storeToHit(lab, wish);
    const others = (await storesInPd(lab.lab.topology())).filter((store) => store.name !== name);
    return {
      target: name,
      orders: others.map(({ id }) => weigh(id, 0)),
      undo: others.map(({ id }) => weigh(id, 1)),
      storeId: null,
    };
  },
  look: async (topology, { target }) => {
    const stores = await storesInPd(topology);
    const others = stores.filter(({ name }) => name !== target);
    const led = Math.max(...others.map(({ leaders }) => leaders));
    const { leaders = 0 } = stores.find(({ name }) => name === target) ?? {};
    return {
      stands: others.some(({ leaderWeight }) => leaderWeight === 0),
      hasEffect: leaders > led && leaders >= evenShare(stores) + GAINED,
      words: `${target} leads ${leaders}, each other store ${led} at most`,
    };
  },
});

const evenShare = (stores: readonly StoreInPd[]): number =>
  stores.reduce((sum, { leaders }) => sum + leaders, 0) / stores.length;

async function look(topology: LabTopology, { target }: Injection<OrderDetail>, scheduler: string) {
  const [names, stores] = await Promise.all([readPd<readonly string[]>(topology, '/schedulers'), storesInPd(topology)]);
  const { leaders = 0, regions = 0 } = stores.find(({ name }) => name === target) ?? {};
  const stands = names.includes(scheduler);
  return {
    stands,
    // Leaders move only to stores that hold a peer.
    hasEffect: regions > 0 && leaders === regions,
    words: `${target} leads ${leaders} of its ${regions} regions; ${scheduler} ${stands ? 'stands' : 'is gone'}`,
  };
}

const add = (name: string, id: number) => ({
  method: 'POST' as const,
  path: '/schedulers',
  body: { name, store_id: id },
});
const weigh = (id: number, leader: number) => ({
  method: 'POST' as const,
  path: `/store/${id}/weight`,
  body: { leader, region: 1 },
});
const remove = (name: string, id: number) => ({ method: 'DELETE' as const, path: `/schedulers/${name}-${id}` });
const pause = (delay: number) => ({ method: 'POST' as const, path: `/schedulers/${BALANCE}`, body: { delay } });
