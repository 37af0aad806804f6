import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ArchivedTicket, createArchive } from '../../../src/evidence/archive.js';
import { createFileStore } from '../../../src/evidence/file-store.js';
import { createSpendingJournal, type Spending } from '../../../src/evidence/spending-journal.js';
import { KILLED_STORE } from '../../support/killed-store.js';
import { type SmallDisk, withSmallDisk } from '../../support/small-disk.js';

const FULL = {
  code: 'MEDIC_DISK_FULL',
  message: expect.stringMatching(/ could not be written: no space is left \(ENOSPC\)$/),
  next: expect.stringContaining('Make room'),
};
/** Takes more than a page: some of it may be written before the disk is full. */
const BODY = 'exit 137\n'.repeat(4_000);

const filesOf = async ({ home }: SmallDisk) =>
  (await readdir(home, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !['ballast', 'ready'].includes(entry.name))
    .map(({ name }) => name);

const archived = (part: Partial<ArchivedTicket> = {}): ArchivedTicket => ({
  ticket: { id: KILLED_STORE.id } as ArchivedTicket['ticket'],
  closedAt: KILLED_STORE.filedAt,
  phase: 'resolved',
  trail: [],
  report: '# resolved',
  history: null,
  run: 'run-1',
  ...part,
});

describe('a full disk', () => {
  it('is said by the evidence store with a code and what to do; no half-written file is left, and all goes on with room', () =>
    withSmallDisk(async (disk) => {
      const store = createFileStore(disk);
      const before = await store.put('seen before');
      disk.fill();
      await expect(store.put(BODY)).rejects.toMatchObject(FULL);
      expect(await filesOf(disk)).toEqual([before.sha256.slice(2)]);
      expect(await store.get(before.sha256)).toBe('seen before');
      disk.makeRoom();
      const { sha256 } = await store.put(BODY);
      expect(await store.get(sha256)).toBe(BODY);
    }));

  it('leaves an archived ticket as it was, and the next try writes it', () =>
    withSmallDisk(async (disk) => {
      const archive = createArchive(disk);
      await archive.save(archived());
      const files = await filesOf(disk);
      disk.fill();
      const long = archived({ report: BODY });
      await expect(archive.save(long)).rejects.toMatchObject(FULL);
      expect(await archive.load(KILLED_STORE.id)).toMatchObject({ report: '# resolved' });
      expect(await filesOf(disk)).toEqual(files);
      disk.makeRoom();
      await archive.save(long);
      expect(await archive.load(KILLED_STORE.id)).toMatchObject({ report: BODY });
    }));

  it('never hides how a ticket had ended before, when the end of another run cannot be written', () =>
    withSmallDisk(async (disk) => {
      const archive = createArchive(disk);
      await archive.save(archived());
      disk.fill();
      const again = archived({ run: 'run-2', report: BODY });
      await expect(archive.save(again)).rejects.toMatchObject(FULL);
      expect(await archive.load(KILLED_STORE.id)).toMatchObject({ run: 'run-1', report: '# resolved' });
      disk.makeRoom();
      await archive.save(again);
      expect(await archive.load(KILLED_STORE.id)).toMatchObject({ run: 'run-2', report: BODY });
      expect(await readdir(join(disk.home, 'tickets', 'earlier'))).toHaveLength(2);
    }));

  it('costs the journal of what was spent no line but the one that could not be written', () =>
    withSmallDisk(async (disk) => {
      const journal = createSpendingJournal(disk);
      const at = KILLED_STORE.filedAt;
      const line = (id: string): Spending => ({ at, reserved: { id } as never });
      await journal.write(line('first'));
      disk.fill();
      // Room for the beginning of a line only.
      await expect(journal.write(line('x'.repeat(8_192)))).rejects.toMatchObject(FULL);
      disk.makeRoom();
      await journal.write(line('second'));
      expect(await journal.read(at)).toEqual([line('first'), line('second')]);
    }));

  it('is a full disk only if the system says so', () =>
    withSmallDisk(async (disk) => {
      await writeFile(join(disk.home, 'evidence'), 'a file where the folder should be');
      await expect(createFileStore(disk).put('x')).rejects.toMatchObject({ code: 'ENOTDIR' });
    }));
});
