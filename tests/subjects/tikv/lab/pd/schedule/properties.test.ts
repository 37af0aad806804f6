import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Command } from '../../../../../../subjects/tikv/lab/pd/state.js';
import { STATS } from '../samples.js';
import { ModelCluster, type ModelRegion, SEED, seeded } from './model-cluster.js';

const SECOND = 200;
/** A move of a leader's peer. A step of an empty region has 600 s at most. */
const MOST_STEPS = 5;
const STORES = [1, 2, 3, 4, 5];

type StoreEvent = 'kill' | 'revive' | 'report-down' | 'offline' | 'up' | 'evict' | 'busy';

/** What may happen to a cluster; at most one store is dead at a time, so that every region keeps a majority. */
type Event =
  | { readonly kind: StoreEvent; readonly store: number }
  | { readonly kind: 'pass'; readonly seconds: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constantFrom<StoreEvent[]>('kill', 'revive', 'report-down', 'offline', 'up', 'evict', 'busy'),
    store: fc.constantFrom(...STORES),
  }),
  fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 6 }) }),
);

const story = fc.record({
  seed: fc.integer(),
  deaf: fc.double({ min: 0, max: 0.5, noNaN: true }),
  events: fc.array(event, { maxLength: 12 }),
});

describe('whatever happens to a cluster', () => {
  it('no region has two operators, none loses the majority of its voters, and every operator ends', () => {
    fc.assert(
      fc.property(story, ({ seed, deaf, events }) => {
        const random = seeded(seed);
        const cluster = new ModelCluster({ layout: SEED, stores: 5, random, obeys: () => random() >= deaf });
        const breaches: string[] = [];
        cluster.onRegion = (region) => breaches.push(...faultsOf(region));
        for (const each of events) {
          happen(cluster, each);
          const regions = cluster.scheduling.operators.map(({ regionId }) => regionId);
          if (new Set(regions).size !== regions.length) breaches.push(`two operators: ${regions.join()}`);
        }
        const before = BigInt(cluster.nowMs) * 1_000_000n;
        for (let steps = 0; steps <= MOST_STEPS; steps += 1) cluster.skip(700 * SECOND);
        const endless = cluster.scheduling.operators.filter(({ createdNs }) => createdNs <= before);
        expect([breaches, endless]).toEqual([[], []]);
      }),
      { numRuns: 40 },
    );
  });
});

/** Three voters or more that count; never two leaders' worth of changes at a time. */
function faultsOf({ region, leader }: ModelRegion): string[] {
  const { peers } = region;
  const [before, after] = [
    peers.filter(({ role }) => role === 'Voter' || role === 'DemotingVoter'),
    peers.filter(({ role }) => role === 'Voter' || role === 'IncomingVoter'),
  ];
  const faults: string[] = [];
  if (before.length < 3 || after.length < 3)
    faults.push(`region ${region.id} has too few voters: ${JSON.stringify(peers)}`);
  if (new Set(peers.map(({ storeId }) => storeId)).size !== peers.length)
    faults.push(`region ${region.id} twice on a store`);
  const leads = peers.find(({ storeId }) => storeId === leader);
  if (leader !== null && (leads === undefined || leads.role === 'Learner'))
    faults.push(`region ${region.id} led by none`);
  return faults;
}

function happen(cluster: ModelCluster, each: Event): void {
  switch (each.kind) {
    case 'pass':
      return cluster.pass(each.seconds * SECOND);
    case 'kill':
      if (cluster.dead.length === 0) cluster.kill(each.store);
      return;
    case 'revive':
      return cluster.revive(each.store);
    case 'report-down':
      if (!cluster.dead.includes(each.store)) return;
      cluster.skip(1_900 * SECOND);
      return cluster.reportDown(each.store);
    case 'busy':
      return void cluster.stats.set(each.store, { ...STATS, isBusy: !cluster.stats.get(each.store)?.isBusy });
    case 'evict':
      return cluster.change({
        kind: 'schedule',
        schedulers: [...cluster.state.schedulers, { type: 'evict-leader', disable: false, storeIds: [each.store] }],
      });
    case 'offline':
    case 'up':
      return cluster.change(...lifeOf(cluster, { kind: each.kind, store: each.store }));
  }
}

/** As PD's API: one store leaves at a time, and nothing brings a Tombstone back. */
function lifeOf(cluster: ModelCluster, { kind, store }: { kind: 'offline' | 'up'; store: number }): Command[] {
  const up = cluster.storeIds.filter((id) => cluster.store(id).state === 'Up');
  if (cluster.store(store).state === 'Tombstone' || (kind === 'offline' && up.length <= 4)) return [];
  const change =
    kind === 'offline'
      ? ({ state: 'Offline', nodeState: 'Removing' } as const)
      : ({ state: 'Up', nodeState: 'Serving' } as const);
  return [{ kind: 'change-store', storeId: store, change }];
}
