import { describe, expect, it } from '@jest/globals';
import { gap, known, type Reading } from '../../../../src/domain/reading.js';
import type { TikvInventory } from '../../../../subjects/tikv/inventory.js';
import { type Discovered, discover, unseenInventory } from '../../../../subjects/tikv/observe/discover.js';
import { createFleetEyes, type Found } from '../../../../subjects/tikv/observe/fleet-eyes.js';
import type { TikvPicture } from '../../../../subjects/tikv/picture.js';
import { refusingServer } from '../../../support/http-server.js';
import { withRecordedPds } from '../../../support/recorded-pd.js';
import { healthy } from '../pictures.js';

const recorded = withRecordedPds();

const ask = (endpoints: readonly string[], hostNames = new Map<string, string>()) =>
  discover({ endpoints, access: () => ({}), requestMs: 2_000, clock: Date.now, hostNames });

describe('a cluster that is asked who it is', () => {
  it('is known from one member of PD: by its id, its members, and its stores by address', async () => {
    const { members, stores } = await recorded();
    const found = await ask([members[1]!.clientUrl]);
    expect(found).toMatchObject({
      known: true,
      value: { clusterId: '7713933192204896888', versions: { pd: ['v8.5.5'], stores: ['v8.5.5'] } },
    });
    const { inventory } = (found as Extract<typeof found, { known: true }>).value;
    expect(inventory.pd.map(({ name }) => name).sort()).toEqual(['pd0', 'pd1', 'pd2']);
    expect(inventory.pd).toContainEqual(members[1]);
    expect(inventory.stores.map(({ name }) => name)).toEqual([
      'tikv0:20160',
      'tikv1:20160',
      'tikv2:20160',
      'tikv3:20160',
    ]);
    expect(inventory.stores[0]?.statusAddress).toBe(stores[0]?.address);
  });

  it('has stores named after the hosts of medic.yaml', async () => {
    const { members } = await recorded();
    const found = await ask([members[0]!.clientUrl], new Map([['tikv1', 'kv-b']]));
    expect(found.known && found.value.inventory.stores.map(({ name }) => name)).toContain('kv-b:20160');
  });

  it('is said not to be readable, with what each endpoint did', async () => {
    const { origin, address } = await refusingServer();
    expect(await ask([origin])).toMatchObject({ known: false, reason: `${address}: connection refused` });
  });
});

const INVENTORY = pictureInventory();
const FOUND: Found = { clusterId: '1', inventory: INVENTORY };

/** Eyes over pictures of our making; `told`: what the next discoveries find. */
function fleet(first: Found, told: Reading<Discovered>[]) {
  let now = 0;
  let picture = healthy();
  const opened: TikvInventory[] = [];
  const closed: TikvInventory[] = [];
  const warnings: string[] = [];
  const kept: Found[] = [];
  let asked = 0;
  const eyes = createFleetEyes({
    first,
    discover: async () => {
      asked += 1;
      return told.shift() ?? gap('PD is away', { at: '', source: 'test' });
    },
    openEyes: (inventory) => {
      opened.push(inventory);
      return {
        observe: async () => picture,
        http: async () => ({ status: null, body: '', node: null }),
        close: async () => void closed.push(inventory),
      };
    },
    onFound: async (found) => void kept.push(found),
    warn: (why) => warnings.push(why),
    clock: () => now,
    everyMs: 60_000,
  });
  return {
    eyes,
    opened,
    closed,
    warnings,
    kept,
    asked: () => asked,
    show: (next: TikvPicture) => {
      picture = next;
    },
    later: (ms: number) => {
      now += ms;
    },
  };
}

const told = (clusterId: string, inventory: TikvInventory): Reading<Discovered> =>
  known({ clusterId, inventory, versions: { pd: [], stores: [] } }, { at: '', source: 'test' });

function pictureInventory(): TikvInventory {
  const { pd, stores } = healthy().vitals;
  return {
    subject: 'tikv',
    host: 'hosts',
    pd: pd.map(({ name, clientUrl }) => ({ name, clientUrl })),
    stores: stores.map(({ name }) => ({ name, address: `${name}:20160`, statusAddress: `${name}:20180` })),
  };
}

describe('eyes on a cluster whose members come and go', () => {
  it('ask who is there until PD has told it once, and no more often than they may', async () => {
    const unseen = { clusterId: null, inventory: unseenInventory(['http://127.0.0.1:2379']) };
    const { eyes, asked, later, kept } = fleet(unseen, [gap('away', { at: '', source: 'test' }), told('1', INVENTORY)]);
    await eyes.observe('vitals');
    await eyes.observe('vitals');
    expect(asked()).toBe(1);
    expect(eyes.inventory().pd).toEqual([{ name: '127.0.0.1:2379', clientUrl: 'http://127.0.0.1:2379' }]);
    later(60_000);
    await eyes.observe('vitals');
    expect(eyes.inventory()).toEqual(INVENTORY);
    expect(kept).toEqual([FOUND]);
    later(600_000);
    await eyes.observe('vitals');
    expect(asked()).toBe(2);
  });

  it('take a store over that has joined, and forget one that was removed', async () => {
    const [gone, ...stores] = INVENTORY.stores;
    const joined = { ...INVENTORY, stores: [...stores, { ...gone!, name: 'new', address: 'new:20160' }] };
    const { eyes, opened, closed, show } = fleet(FOUND, [told('1', joined)]);
    const picture = healthy();
    const [, ...others] = picture.vitals.stores;
    const stranger = { ...picture.vitals.stores[0]!, name: 'store-99' };
    show({ ...picture, vitals: { ...picture.vitals, stores: [...others, stranger] } });
    await eyes.observe('vitals');
    expect(opened).toEqual([INVENTORY]);
    await eyes.observe('vitals');
    expect(opened).toEqual([INVENTORY, joined]);
    expect(closed).toEqual([INVENTORY]);
  });

  it('do not take another cluster at the old address for theirs', async () => {
    const { eyes, show, warnings, opened } = fleet(FOUND, [told('2', { ...INVENTORY, stores: [] })]);
    const picture = healthy();
    const strange = { ...picture.vitals.stores[0]!, name: 'store-1' };
    show({ ...picture, vitals: { ...picture.vitals, stores: [strange] } });
    await eyes.observe('vitals');
    await eyes.observe('vitals');
    expect(eyes.inventory()).toEqual(INVENTORY);
    expect(opened).toHaveLength(1);
    expect(warnings).toEqual(['PD is of cluster 2, not of 1 as before: its members are not taken over']);
  });
});
