import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStoreClient } from '../../../../../subjects/tikv/lab/store/client.js';
import { regionKey } from '../../../../../subjects/tikv/lab/store/layout.js';
import { until } from '../../../../support/until.js';
import { type MiniPd, startMiniPd } from './mini-pd.js';
import { type StoreNode, type Stores, storeProcesses } from './store-processes.js';

let pd: MiniPd;
let stores: Stores;

beforeAll(async () => {
  pd = await startMiniPd();
  stores = await storeProcesses({ pd: [pd.url], count: 4 });
  for (const node of stores.nodes) stores.start(node);
});

afterAll(async () => {
  if (process.env.DUMP) for (const n of stores.nodes) console.log(n.output.join('\n'));
  await stores.stop();
  await pd.close();
});

const seedRegions = () => [...pd.regions.values()].filter(({ version }) => version > 1);
const leaders = () =>
  [...pd.stores.keys()].map((id) => seedRegions().filter(({ leaderStore }) => leaderStore === id).length);
const seen = () => ({
  leaders: leaders(),
  regions: seedRegions(),
  tails: stores.nodes.map(({ output }) => output.slice(-3)),
});
const holds = (condition: () => boolean) => () => condition() || undefined;

describe('a new cluster of four stores', () => {
  it('bootstraps once and reports 24 regions with six leaders on each store and nothing pending', async () => {
    await until(
      '24 regions, led as laid out',
      holds(() => leaders().join() === '6,6,6,6'),
      { deadlineMs: 12_000, seen },
    );
    expect(pd.bootstraps).toBe(1);
    await until(
      'no pending peers',
      holds(() => seedRegions().every(({ pendingStores }) => pendingStores.length === 0)),
      { seen },
    );
  });

  it('serves writes and reads of a key in every region', async () => {
    const client = createStoreClient({ pd: [pd.url], attemptMs: 1_000, giveUpMs: 5_000 });
    for (let index = 0; index < 24; index += 1) {
      const written = await client.put(regionKey(index, '-probe'), `value-${index}`);
      expect(written).toMatchObject({ ok: true });
      expect(await client.get(regionKey(index, '-probe'))).toMatchObject({ ok: true, value: `value-${index}` });
    }
    client.close();
  });
});
