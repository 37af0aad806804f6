import { describe, expect, it } from '@jest/globals';
import { regionScore } from '../../../../../subjects/tikv/lab/pd/region-score.js';
import { StoreHeartbeats, stateName } from '../../../../../subjects/tikv/lab/pd/stores.js';
import { PROFILES } from '../../../../../subjects/tikv/profiles.js';
import { STATS, storeMeta } from './samples.js';

const SILENCE = PROFILES.real.cluster;
const seconds = (n: number) => BigInt(n) * 1_000_000_000n;
const up = storeMeta({ id: 1 });

describe('a store as PD sees it', () => {
  it.each([
    [0n, 'Up'],
    [seconds(20), 'Up'],
    [seconds(20) + 1n, 'Disconnected'],
    [seconds(1800), 'Disconnected'],
    [seconds(1800) + 1n, 'Down'],
  ])('after %d ns of silence is %s', (silentNs, name) => expect(stateName(up, SILENCE, silentNs)).toBe(name));

  it('hides its silence behind Offline and Tombstone', () => {
    expect(stateName({ ...up, state: 'Offline' }, SILENCE, seconds(9_999))).toBe('Offline');
    expect(stateName({ ...up, state: 'Tombstone' }, SILENCE, 0n)).toBe('Tombstone');
  });

  it('is as old as on disk under a new leader, until its first heartbeat', () => {
    const heartbeats = new StoreHeartbeats();
    const store = storeMeta({ id: 1, lastHeartbeatNs: '5' });
    expect([heartbeats.lastHeartbeatNs(store), heartbeats.stats(1)]).toEqual([5n, undefined]);
    heartbeats.hear(1, STATS, 9n);
    expect([heartbeats.lastHeartbeatNs(store), heartbeats.stats(1)]).toEqual([9n, STATS]);
  });

  it('has its heartbeat written to disk at the first one, then every 5 minutes', () => {
    const heartbeats = new StoreHeartbeats();
    const turns = [0, 10, 299, 300, 310, 600].filter((at) =>
      heartbeats.takeSaveTurn(1, seconds(at), SILENCE.storeHeartbeatMs),
    );
    expect(turns).toEqual([0, 300, 600]);
  });

  it('scores by the size of its regions as long as it says nothing of its disk', () => {
    expect(regionScore({ capacity: 0, available: 0, regionSize: 1327 })).toBe(1327);
  });

  it('scores higher the less room is left', () => {
    const score = (freeGib: number) =>
      regionScore({ capacity: 200 * 2 ** 30, available: freeGib * 2 ** 30, regionSize: 100 });
    const scores = [199, 150, 100, 60, 40, 10].map(score);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
  });
});
