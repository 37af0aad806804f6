import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ticketId } from '../../../src/domain/ids.js';
import { openTicket } from '../../../src/domain/ticket.js';
import { type ArchivedTicket, createArchive } from '../../../src/evidence/archive.js';
import { withHome } from './home.js';

const AT = '2026-01-02T03:04:05.000Z';
const HISTORY = JSON.stringify({
  events: Array.from({ length: 500 }, (_, i) => ({ eventId: `${i}`, eventType: 'TimerFired' })),
});

function archived(subject: string, number: number): ArchivedTicket {
  const id = ticketId(subject, number);
  const limits = { turns: 30, looks: 60, acts: 4, tokens: 0, usd: 0, wallMs: 3_600_000 };
  const filing = { id, subject, at: AT, violations: [], recurrenceOf: null, flapping: false };
  return {
    ticket: openTicket(filing, { environment: 'lab', agent: 'on-call-triage', limits, causes: [] }),
    closedAt: '2026-01-02T03:05:05.000Z',
    phase: 'resolved',
    trail: [{ seq: 1, at: AT, type: 'turn', turn: 1, run: 'r' }],
    report: `# ${id}\n\nResolved.\n`,
    history: HISTORY,
  };
}

describe('the archive of closed tickets', () => {
  it('gives back a ticket as it was saved', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      await archive.save(archived('tikv', 42));
      expect(await archive.load(ticketId('tikv', 42))).toEqual(archived('tikv', 42));
    }));

  it('keeps the report beside the record as a file for people', () =>
    withHome(async (home) => {
      const path = await createArchive({ home }).save(archived('tikv', 42));
      expect(path).toBe(join(home, 'tickets', 'tikv-42.md'));
      expect(await readFile(path, 'utf8')).toBe('# tikv/42\n\nResolved.\n');
      expect(await readdir(join(home, 'tickets'))).toEqual(['tikv-42.json', 'tikv-42.md']);
    }));

  it('packs the history', () =>
    withHome(async (home) => {
      await createArchive({ home }).save(archived('tikv', 1));
      expect((await stat(join(home, 'tickets', 'tikv-1.json'))).size).toBeLessThan(HISTORY.length / 4);
    }));

  it('keeps a ticket whose history could not be had', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      await archive.save({ ...archived('tikv', 1), history: null });
      expect((await archive.load(ticketId('tikv', 1)))?.history).toBeNull();
    }));

  it('lets the last save count', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      await archive.save(archived('tikv', 1));
      await archive.save({ ...archived('tikv', 1), phase: 'aborted' });
      expect((await archive.load(ticketId('tikv', 1)))?.phase).toBe('aborted');
    }));

  it('does not take back an end for what was archived before it, but comes later', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      const handedOver = { ...archived('tikv', 1), phase: 'escalated', run: 'first' } as const;
      await archive.save(handedOver);
      expect((await archive.load(ticketId('tikv', 1)))?.phase).toBe('escalated');
      await archive.save({ ...handedOver, phase: 'closed-by-person' });
      expect(await archive.save(handedOver)).toBe(join(home, 'tickets', 'tikv-1.md'));
      expect((await archive.load(ticketId('tikv', 1)))?.phase).toBe('closed-by-person');
      // A ticket that was reset runs again.
      await archive.save({ ...handedOver, run: 'second' });
      expect((await archive.load(ticketId('tikv', 1)))?.phase).toBe('escalated');
    }));

  it('lists by subject and number, without the histories', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      for (const [subject, number] of [
        ['tikv', 10],
        ['tikv', 9],
        ['rate-limiter', 2],
      ] as const)
        await archive.save(archived(subject, number));
      const list = await archive.list();
      expect(list.map(({ ticket }) => ticket.id)).toEqual(['rate-limiter/2', 'tikv/9', 'tikv/10']);
      expect(list.every((entry) => !('history' in entry))).toBe(true);
    }));

  it('counts on from the highest number of the subject', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      expect(await archive.nextNumber('tikv')).toBe(1);
      await archive.save(archived('tikv', 9));
      await archive.save(archived('tikv', 10));
      await archive.save(archived('tikv-2', 77));
      expect(await archive.nextNumber('tikv')).toBe(11);
      expect(await archive.nextNumber('rate-limiter')).toBe(1);
    }));

  it('knows nothing of a ticket that was never archived', () =>
    withHome(async (home) => {
      expect(await createArchive({ home }).load(ticketId('tikv', 1))).toBeNull();
      expect(await createArchive({ home }).load('../../etc/passwd' as never)).toBeNull();
      expect(await createArchive({ home }).list()).toEqual([]);
    }));

  it.each([
    ['a later version', '{"v":2}', 'its `v` is not as expected'],
    ['half a file', '{"v":1', 'SyntaxError'],
    ['another file', '{"v":1}', 'its `ticket` is not as expected'],
  ])('names the file and what is wrong with %s', (_what, text, why) =>
    withHome(async (home) => {
      const path = join(home, 'tickets', 'tikv-3.json');
      await mkdir(join(home, 'tickets'), { recursive: true });
      await writeFile(path, text);
      const failure = await createArchive({ home })
        .load(ticketId('tikv', 3))
        .catch((error: Error) => error);
      expect(failure).toMatchObject({ code: 'MEDIC_ARCHIVE_UNREADABLE' });
      expect((failure as Error).message).toContain(`${path}: ${why}`);
    }),
  );

  it('names the file whose history was damaged', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      await archive.save(archived('tikv', 3));
      const path = join(home, 'tickets', 'tikv-3.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace(/"historyGz":"[^"]{9}/, '"historyGz":"AAAAAAAAA'));
      await expect(archive.load(ticketId('tikv', 3))).rejects.toMatchObject({ code: 'MEDIC_ARCHIVE_UNREADABLE' });
    }));
});

describe('a ticket that was reset and ended once more', () => {
  it('keeps what the earlier run had left beside it', () =>
    withHome(async (home) => {
      const archive = createArchive({ home });
      await archive.save({ ...archived('tikv', 1), run: 'a', phase: 'aborted' });
      const again = { ...archived('tikv', 1), run: 'b' };
      await archive.save(again);
      await archive.save(again);
      expect(await archive.load(ticketId('tikv', 1))).toEqual(again);
      expect((await readdir(join(home, 'tickets', 'earlier'))).sort()).toEqual([
        'tikv-1.2026-01-02T030505.000Z.json',
        'tikv-1.2026-01-02T030505.000Z.md',
      ]);
      expect(await archive.list()).toHaveLength(1);
    }));
});
