import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { blankRestored, persist } from '../../../../../subjects/tikv/lab/raft/restored.js';
import { type GroupWrite, openStorage, type StoredGroup } from '../../../../../subjects/tikv/lab/raft/storage.js';
import type { Entry, RaftRestored } from '../../../../../subjects/tikv/lab/raft/types.js';

let dir: string;
let file: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'raft-wal-'));
  file = join(dir, 'raft.wal');
});

afterEach(async () => {
  await rm(dir, { recursive: true });
});

function entry(index: number, term = 1): Entry {
  return { index, term, data: `data ${index} – ü` };
}

function write(group: string, ready: Partial<GroupWrite['ready']>): GroupWrite {
  return { group, ready: { entries: [], mustSync: true, ...ready } };
}

const BATCHES: GroupWrite[][] = [
  [write('1', { entries: [entry(1), entry(2)], hardState: { term: 1, vote: '1001', commit: 0 } })],
  [write('1', { entries: [entry(2, 2), entry(3, 2)] }), write('2', { entries: [entry(1)] })],
  [write('2', { hardState: { term: 4, vote: null, commit: 1 }, mustSync: false })],
  [write('1', { compacted: { index: 2, term: 2, voters: ['1001'], data: 'state' } })],
  [write('2', { snapshot: { index: 9, term: 5, voters: ['1002'], data: 'other' }, entries: [entry(10, 5)] })],
];

function stateAfter(batches: GroupWrite[][]): Map<string, RaftRestored> {
  const groups = new Map<string, RaftRestored>();
  for (const { group, ready } of batches.flat()) {
    const state = groups.get(group) ?? blankRestored();
    persist(state, structuredClone(ready));
    groups.set(group, state);
  }
  return groups;
}

async function saveAll(batches: GroupWrite[][]): Promise<number[]> {
  const { storage } = await openStorage({ dir });
  const ends = [(await stat(file)).size];
  for (const batch of batches) {
    await storage.save(batch);
    ends.push((await stat(file)).size);
  }
  await storage.close();
  return ends;
}

async function reopen(sync?: () => Promise<void>) {
  const { storage, ...opened } = await openStorage({ dir, sync });
  await storage.close();
  return opened;
}

describe('the write-ahead log', () => {
  it('gives back every group as it was saved', async () => {
    await saveAll(BATCHES);
    expect(await reopen()).toEqual({ groups: stateAfter(BATCHES), droppedBytes: 0 });
    expect((await reopen()).groups.get('2')).toEqual({
      hardState: { term: 4, vote: null, commit: 1 },
      entries: [entry(10, 5)],
      snapshot: { index: 9, term: 5, voters: ['1002'], data: 'other' },
    });
  });

  it('starts empty in a directory that does not exist', async () => {
    dir = join(dir, 'deep', 'er');
    expect(await reopen()).toEqual({ groups: new Map(), droppedBytes: 0 });
    dir = join(dir, '..', '..');
  });

  it('drops a torn tail wherever it was torn, batch by batch, and goes on from there', async () => {
    const ends = await saveAll(BATCHES);
    const whole = await readFile(file);
    const isWorthATry = (size: number) => size % 7 === 0 || ends.some((end) => Math.abs(end - size) <= 9);
    for (let size = whole.length; size >= ends[0]!; size -= 1) {
      if (!isWorthATry(size)) continue;
      await writeFile(file, whole);
      await truncate(file, size);
      const complete = ends.filter((end) => end <= size).length - 1;
      const expected = stateAfter(BATCHES.slice(0, complete));
      expect(await reopen(async () => undefined)).toEqual({ groups: expected, droppedBytes: size - ends[complete]! });
    }
    await saveAll([BATCHES[0]!]);
    expect(await reopen()).toEqual({ groups: stateAfter([BATCHES[0]!]), droppedBytes: 0 });
  }, 60_000);

  it.each([
    ['zeros', Buffer.alloc(64)],
    ['half a header', Buffer.from([9, 0])],
    ['a frame with a wrong checksum', Buffer.from([2, 0, 0, 0, 1, 2, 3, 4, 91, 93])],
  ])('drops %s at the end', async (_, tail) => {
    await saveAll(BATCHES);
    await appendFile(file, tail);
    expect(await reopen()).toEqual({ groups: stateAfter(BATCHES), droppedBytes: tail.length });
    expect(await reopen()).toEqual({ groups: stateAfter(BATCHES), droppedBytes: 0 });
  });

  it('syncs once for a batch of many groups, and not at all if nothing of it must be', async () => {
    let syncs = 0;
    const sync = async () => {
      syncs += 1;
    };
    const { storage } = await openStorage({ dir, sync });
    syncs = 0;
    await storage.save(Array.from({ length: 18 }, (_, at) => write(`${at}`, { entries: [entry(1)] })));
    expect(syncs).toBe(1);
    await storage.save([write('1', { hardState: { term: 1, vote: null, commit: 1 }, mustSync: false })]);
    await storage.save([write('1', {})]);
    expect(syncs).toBe(1);
    await storage.close();
  });

  it('makes durable at the start what a killed process had only written', async () => {
    await saveAll(BATCHES);
    let syncs = 0;
    const sync = async () => {
      syncs += 1;
    };
    const { storage } = await openStorage({ dir, sync });
    expect(syncs).toBe(1);
    await storage.close();
  });

  it('resolves only after the sync, in the order of the calls', async () => {
    const log: string[] = [];
    const { storage } = await openStorage({ dir, sync: async () => void log.push('sync') });
    log.length = 0;
    const one = storage.save([write('1', { entries: [entry(1)] })]).then(() => log.push('one'));
    const two = storage.save([write('1', { entries: [entry(2)] })]).then(() => log.push('two'));
    await Promise.all([one, two]);
    expect(log.filter((line) => line !== 'sync')).toEqual(['one', 'two']);
    expect(log[0]).toBe('sync');
    await storage.close();
  });

  it('rewrites a file that has grown, and loses nothing by it', async () => {
    const { storage } = await openStorage({ dir, compactAtBytes: 1000 });
    let largest = 0;
    for (let index = 1; index <= 60; index += 1) {
      const compacted = { index, term: 1, voters: ['1001'], data: 'state' };
      await storage.save([write('1', { entries: [entry(index)] }), write('2', { entries: [entry(index)] })]);
      await storage.save([write('1', { compacted }), write('2', { compacted: { ...compacted, data: 'other' } })]);
      largest = Math.max(largest, (await stat(file)).size);
    }
    await storage.save([write('2', { entries: [entry(61)] })]);
    await storage.close();
    expect(largest).toBeLessThan(1500);
    const { groups } = await reopen();
    expect(groups.get('1')).toMatchObject({ snapshot: { index: 60, data: 'state' }, entries: [] });
    expect(groups.get('2')).toMatchObject({ snapshot: { index: 60, data: 'other' }, entries: [entry(61)] });
  });

  it('keeps the newest note of a group through a rewrite, and forgets an erased group but for what came with it', async () => {
    const { storage } = await openStorage({ dir, compactAtBytes: 200 });
    await storage.save([{ ...write('1', { entries: [entry(1)] }), note: 'first' }]);
    await storage.save([{ ...write('1', {}), note: 'second' }, write('2', { entries: [entry(1)] })]);
    await storage.save([{ ...write('2', {}), erase: true, note: 'gone' }]);
    await storage.save([{ ...write('3', { entries: [entry(1)] }), erase: true }]);
    await storage.close();
    const blank = blankRestored();
    expect((await reopen()).groups).toEqual(
      new Map<string, StoredGroup>([
        ['1', { ...blank, entries: [entry(1)], note: 'second' }],
        ['2', { ...blank, note: 'gone' }],
        ['3', { ...blank, entries: [entry(1)] }],
      ]),
    );
  });

  it('serves nobody any more after a sync failed', async () => {
    let broken = false;
    const sync = async () => {
      if (broken) throw new Error('EIO');
    };
    const { storage } = await openStorage({ dir, sync });
    broken = true;
    await expect(storage.save([write('1', { entries: [entry(1)] })])).rejects.toThrow('EIO');
    broken = false;
    await expect(storage.save([write('1', { entries: [entry(2)] })])).rejects.toThrow('EIO');
    await storage.close();
  });

  it('refuses a file that is something else', async () => {
    await writeFile(file, 'a poem, perhaps');
    await expect(openStorage({ dir })).rejects.toThrow(`${file} is not a RAFTWAL1 file`);
  });

  it('refuses entries that leave a gap, which an adapter can only cause by skipping a Ready', async () => {
    const { storage } = await openStorage({ dir });
    await expect(storage.save([write('1', { entries: [entry(3)] })])).rejects.toThrow('entry 3 does not follow');
    await storage.close();
  });
});
