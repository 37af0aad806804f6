import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { blankRestored } from '../../../../../subjects/tikv/lab/raft/restored.js';
import { until } from '../../../../support/until.js';
import { rolesOf, StoresInProcess } from './stores-in-process.js';

/** Region 10 has peers 11, 12 and 13 on stores 1, 2 and 3; stores 4 and 5 are empty. */
const REGION = 10;
let stores: StoresInProcess;

beforeEach(async () => {
  stores = await StoresInProcess.start({ storeIds: [1, 2, 3, 4, 5], regions: 1, tickMs: 20 });
  await until('store 1 leads', () => stores.peer(1, REGION)?.isServing || undefined, { deadlineMs: 10_000 });
  await stores.put(REGION, '-a', 'before');
});

afterEach(() => stores.stop());

const on = (storeId: number, id: number) => ({ id, storeId });
const addLearner = async (storeId: number, id: number) => {
  await stores.change(REGION, [{ kind: 'add-learner', peer: on(storeId, id) }]);
  await stores.settled(REGION, ['1:Voter', '2:Voter', '3:Voter', `${storeId}:Learner`]);
};
const hasData = (storeId: number, value: string) =>
  until(
    `store ${storeId} has ${value}`,
    () => stores.peer(storeId, REGION)?.state.get(stores.key(REGION, '-a')) === value || undefined,
    { deadlineMs: 10_000, seen: () => stores.show(REGION) },
  );
const isGone = (storeId: number) =>
  until(`store ${storeId} has no peer`, () => stores.peer(storeId, REGION) === undefined || undefined, {
    deadlineMs: 10_000,
    seen: () => stores.show(REGION),
  });
const replace = async (from: number, oldId: number, to: number, newId: number) => {
  await addLearner(to, newId);
  await hasData(to, 'before');
  await stores.change(REGION, [
    { kind: 'add-voter', peer: on(to, newId) },
    { kind: 'add-learner', peer: on(from, oldId) },
  ]);
  const stay = [1, 2, 3].filter((id) => id !== from).map((id) => `${id}:Voter`);
  await stores.settled(REGION, [...stay, `${from}:DemotingVoter`, `${to}:IncomingVoter`]);
  await stores.change(REGION, []);
  await stores.settled(REGION, [...stay, `${from}:Learner`, `${to}:Voter`]);
  await stores.change(REGION, [{ kind: 'remove', peer: on(from, oldId) }]);
  await stores.settled(REGION, [...stay, `${to}:Voter`]);
};

describe('a region whose members change', () => {
  it('makes a peer where there was none, with the data, and tells PD of each step at once', async () => {
    await addLearner(4, 1001);
    await hasData(4, 'before');
    expect(stores.peer(4, REGION)).toMatchObject({ peerId: 1001, self: { role: 'Learner' } });
    expect(stores.onDisk(4, REGION)?.note).toBe('{"peer":1001,"since":4}');
    expect(stores.urged).toEqual(['10:4']);
    await stores.put(REGION, '-a', 'after');
    await hasData(4, 'after');
  });

  it('gives the new peer the region as it is, not the snapshot of its founding', async () => {
    await addLearner(4, 1001);
    await hasData(4, 'before');
    expect(stores.peer(4, REGION)!.node.snapshotIndex).toBeGreaterThan(5);
  });

  it('moves a voter to another store, and destroys the old peer once all who stay know', async () => {
    await replace(3, 13, 4, 1001);
    await isGone(3);
    expect(stores.onDisk(3, REGION)).toEqual({ ...blankRestored(), note: '{"peer":13,"since":3,"gone":true}' });
    expect(stores.urged).toEqual(['10:4', '10:6', '10:8', '10:9']);
    await stores.put(REGION, '-a', 'after');
    await hasData(4, 'after');
    expect(await stores.raft(3).read(REGION, stores.key(REGION, '-a'))).toMatchObject({
      error: { kind: 'RegionNotFound' },
    });
  });

  it('does not bring a destroyed peer back for a late message, not after a restart either', async () => {
    await replace(3, 13, 4, 1001);
    await isGone(3);
    const late = { type: 'heartbeat', from: '11', to: '13', term: 1, commit: 5, sentAt: 1 } as const;
    const deliverLate = async () => {
      stores.deliver({ from: 1, to: 3, letter: { regionId: REGION, confVer: 8, message: late } });
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      expect([stores.peer(3, REGION), stores.raft(3).waiting]).toEqual([undefined, 0]);
    };
    await deliverLate();
    stores.crash(3);
    stores.boot(3);
    await deliverLate();
  });

  it('takes a store back under a new peer id after the old one is gone', async () => {
    await replace(3, 13, 4, 1001);
    await stores.change(REGION, [{ kind: 'add-learner', peer: on(3, 1002) }]);
    await stores.settled(REGION, ['1:Voter', '2:Voter', '4:Voter', '3:Learner']);
    await until('peer 1002', () => stores.peer(3, REGION)?.peerId === 1002 || undefined, {
      deadlineMs: 10_000,
      seen: () => stores.show(REGION),
    });
    await hasData(3, 'before');
  });

  it('destroys a peer whose store was away while it was removed', async () => {
    stores.crash(3);
    await stores.change(REGION, [{ kind: 'remove', peer: on(3, 13) }]);
    await stores.settled(REGION, ['1:Voter', '2:Voter']);
    stores.boot(3);
    await isGone(3);
  });

  it('keeps a removed peer while a voter may still need it', async () => {
    stores.cutOff.add(2);
    await stores.change(REGION, [{ kind: 'remove', peer: on(3, 13) }]);
    await stores.settled(REGION, ['1:Voter', '2:Voter']);
    // The other voter is cut off and knows nothing of it: alone it would need peer 13 to be elected.
    await until('store 3 asks', () => stores.peer(3, REGION)?.isMember === false || undefined);
    const asked = stores.questions;
    await until('ten more questions', () => stores.questions >= asked + 10 || undefined);
    expect(stores.peer(3, REGION)).toBeDefined();
    stores.cutOff.delete(2);
    await isGone(3);
  });

  it('lets a newer peer of the region in by the word of PD, while a voter may still need the older one', async () => {
    await stores.change(REGION, [{ kind: 'add-voter', peer: on(4, 1001) }]);
    await hasData(4, 'before');
    await stores.change(REGION, [{ kind: 'add-voter', peer: on(5, 1002) }]);
    await hasData(5, 'before');
    for (const id of [2, 3]) stores.cutOff.add(id);
    await stores.change(REGION, [{ kind: 'remove', peer: on(3, 13) }]);
    await stores.settled(REGION, ['1:Voter', '2:Voter', '4:Voter', '5:Voter']);
    stores.cutOff.delete(3);
    await stores.change(REGION, [{ kind: 'add-learner', peer: on(3, 1003) }]);
    await stores.settled(REGION, ['1:Voter', '2:Voter', '4:Voter', '5:Voter', '3:Learner']);
    const asked = stores.questions;
    await until('twenty more questions', () => stores.questions >= asked + 20 || undefined);
    expect(stores.peer(3, REGION)?.peerId).toBe(13);
    const { meta } = await stores.leader(REGION);
    stores.pd = () => meta;
    await until('peer 1003', () => stores.peer(3, REGION)?.peerId === 1003 || undefined, {
      deadlineMs: 5_000,
      seen: () => stores.show(REGION),
    });
    await hasData(3, 'before');
  });

  it('drops a peer that nobody leads when PD says that the region goes on without it', async () => {
    stores.cutOff.add(3);
    await stores.change(REGION, [{ kind: 'remove', peer: on(3, 13) }]);
    await stores.settled(REGION, ['1:Voter', '2:Voter']);
    expect(stores.peer(3, REGION)).toBeDefined();
    const { meta } = await stores.leader(REGION);
    stores.pd = () => meta;
    await isGone(3);
  });

  it('keeps a peer that nobody leads when PD lists it, knows less, or knows nothing', async () => {
    const { meta } = await stores.leader(REGION);
    const answers = [{ ...meta, confVer: 9 }, { ...meta, peers: meta.peers.slice(0, 2) }, null];
    const asked = new Set<unknown>();
    stores.cutOff.add(3);
    stores.pd = () => {
      const next = answers[asked.size % answers.length] ?? null;
      asked.add(asked.size);
      return next;
    };
    await until('PD was asked for each', () => asked.size >= 2 * answers.length || undefined, { deadlineMs: 20_000 });
    expect(stores.peer(3, REGION)).toBeDefined();
  });

  it('keeps a peer that waits for its data when PD has not heard of it yet', async () => {
    const { meta: before } = await stores.leader(REGION);
    let asked = 0;
    await stores.change(REGION, [{ kind: 'add-learner', peer: on(4, 1001) }]);
    await until('the peer is made', () => stores.onDisk(4, REGION) !== undefined || undefined, { everyMs: 1 });
    stores.crash(4);
    for (const id of [1, 2, 3]) stores.cutOff.add(id);
    stores.boot(4);
    stores.pd = (_, storeId) => {
      if (storeId === 4) asked += 1;
      return before;
    };
    await until('PD was asked a few times', () => asked >= 3 || undefined, { deadlineMs: 20_000 });
    expect(stores.onDisk(4, REGION)?.note).toBe('{"peer":1001,"since":4}');
    for (const id of [1, 2, 3]) stores.cutOff.delete(id);
    await hasData(4, 'before');
  });

  it('keeps its members over a crash of all stores at any moment of a change', async () => {
    await stores.change(REGION, [{ kind: 'add-learner', peer: on(4, 1001) }]);
    for (const id of [1, 2, 3, 4]) stores.crash(id);
    for (const id of [1, 2, 3, 4]) stores.boot(id);
    const { meta } = await stores.leader(REGION);
    expect([3, 4]).toContain(meta.confVer);
    await until('all say the same', () => {
      const views = [1, 2, 3].map(
        (id) => `${stores.peer(id, REGION)!.meta.confVer} ${rolesOf(stores.peer(id, REGION)!)}`,
      );
      return new Set(views).size === 1 || undefined;
    });
  });
});

describe('an order of PD', () => {
  it('is dropped when the epoch is another one, or another peer leads', async () => {
    const { meta } = await stores.leader(REGION);
    const order = {
      regionId: REGION,
      kind: 'change peer' as const,
      changes: [{ kind: 'add-learner' as const, peer: on(4, 1001) }],
      confVer: meta.confVer,
      version: meta.version,
      leader: 11,
    };
    stores.raft(1).obey({ ...order, confVer: 2 });
    stores.raft(1).obey({ ...order, version: 99 });
    stores.raft(1).obey({ ...order, leader: 12 });
    stores.raft(2).obey(order);
    stores.raft(1).obey({ ...order, regionId: 99 });
    const refusals = (id: number) =>
      stores.log(id).flatMap((line) => /failed to change peer.*\[err="?([^"\]]+)/.exec(line)?.[1] ?? []);
    expect(refusals(1)).toEqual(['epoch not match', 'epoch not match', 'mismatch peer id', 'region not found']);
    expect(refusals(2)).toEqual(['not leader']);
    await stores.put(REGION, '-a', 'after');
    expect(await stores.members(REGION)).toEqual(['1:Voter', '2:Voter', '3:Voter']);
  });

  it('moves the leadership to one of several that is there, and not to one that is not', async () => {
    stores.crash(2);
    await stores.transfer(REGION, [2]);
    expect(stores.log(1).at(-1)).toContain('no target is reachable');
    await stores.transfer(REGION, [2, 3]);
    await until('store 3 leads', () => stores.peer(3, REGION)?.isServing || undefined, { deadlineMs: 10_000 });
  });

  it('does not make a learner lead', async () => {
    await addLearner(4, 1001);
    await hasData(4, 'before');
    await stores.transfer(REGION, [4]);
    expect(stores.log(1).at(-1)).toContain('no target is reachable');
  });

  it('does not let peers without their data become the majority', async () => {
    for (const id of [4, 5]) stores.cutOff.add(id);
    await addLearner(4, 1001);
    await stores.change(REGION, [{ kind: 'add-learner', peer: on(5, 1002) }]);
    await stores.settled(REGION, ['1:Voter', '2:Voter', '3:Voter', '4:Learner', '5:Learner']);
    await stores.change(REGION, [
      { kind: 'add-voter', peer: on(4, 1001) },
      { kind: 'add-voter', peer: on(5, 1002) },
      { kind: 'add-learner', peer: on(2, 12) },
      { kind: 'add-learner', peer: on(3, 13) },
    ]);
    expect(stores.log(1).at(-1)).toContain('unsafe to perform conf change');
  });
});
