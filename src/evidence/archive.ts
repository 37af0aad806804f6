import { link, mkdir, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import { MedicError } from '../domain/errors.js';
import type { Instant, TicketId } from '../domain/ids.js';
import { parseTicketId, ticketId } from '../domain/ids.js';
import { isClosed, type Phase } from '../domain/phases.js';
import type { Ticket } from '../domain/ticket.js';
import type { TrailEvent } from '../domain/trail.js';
import { sayingFull, writeAtomically } from './write-atomically.js';

/** A ticket that ended or was handed to a person, as it is kept for good, independent of how long Temporal keeps its history. */
export interface ArchivedTicket {
  /** Its last state. Its own trail is bounded; `trail` is whole. */
  readonly ticket: Ticket;
  /** When this was recorded. */
  readonly closedAt: Instant;
  readonly phase: Phase;
  readonly trail: readonly TrailEvent[];
  /** Markdown, for people. */
  readonly report: string;
  /** The workflow history as JSON text, ready to be replayed; `null` when it could not be fetched. */
  readonly history: string | null;
  /** The workflow run that came so far; absent in records of 0.1. A reset ticket ends again, in another run. */
  readonly run?: string;
}

/** What a list needs: everything but the history, which is by far the largest part. */
export type ArchivedSummary = Omit<ArchivedTicket, 'history'>;

/** The archive of tickets; verbs that read fall back to it when Temporal does not know a ticket, or does not answer. */
export interface Archive {
  /**
   * Writes record and report; harmless to repeat, the last one counts, unless it is open and the same run has ended: a late
   * try. What another run had left is kept in `earlier/`. Returns the path of the report. Throws `MEDIC_DISK_FULL`; what was
   * archived before is then as it was.
   */
  save(archived: ArchivedTicket): Promise<string>;
  /** `null` when it was never archived. Throws `MEDIC_ARCHIVE_UNREADABLE`. */
  load(id: TicketId): Promise<ArchivedTicket | null>;
  /** By subject, then by number. Throws `MEDIC_ARCHIVE_UNREADABLE`. */
  list(): Promise<ArchivedSummary[]>;
  /** One above the highest archived number of this subject; 1 when there is none. */
  nextNumber(subject: string): Promise<number>;
}

/** Keeps `<home>/tickets/<subject>-<n>.json` (all of it) and `<subject>-<n>.md` (the report). */
export function createArchive({ home }: { readonly home: string }): Archive {
  const folder = join(home, 'tickets');
  const pathOf = (id: TicketId, ending: 'json' | 'md') => join(folder, `${id.replace('/', '-')}.${ending}`);

  async function keepEarlier(before: ArchiveRecord): Promise<void> {
    const { id } = before.ticket;
    const earlier = join(folder, 'earlier');
    await mkdir(earlier, { recursive: true, mode: 0o700 });
    const name = `${basename(pathOf(id, 'json'), '.json')}.${before.closedAt.replaceAll(':', '')}`;
    // Second names, which take no space: until the new record is written whole, the old one is still found.
    await link(pathOf(id, 'md'), join(earlier, `${name}.md`)).catch(unlessGoneOrThere);
    await link(pathOf(id, 'json'), join(earlier, `${name}.json`)).catch(unlessGoneOrThere);
  }

  return {
    async save(archived) {
      const report = pathOf(archived.ticket.id, 'md');
      const before = await readRecord(pathOf(archived.ticket.id, 'json'));
      const isSameRun = before?.run === archived.run;
      if (before && isSameRun && isClosed(before.phase) && !isClosed(archived.phase)) return report;
      if (before && !isSameRun) await sayingFull(report, () => keepEarlier(before));
      // The record comes last: whoever finds it finds the report too.
      await writeAtomically(report, archived.report);
      await writeAtomically(pathOf(archived.ticket.id, 'json'), await toRecord(archived));
      return report;
    },

    async load(id) {
      if (!parseTicketId(id)) return null;
      const path = pathOf(id, 'json');
      const record = await readRecord(path);
      return record && { ...summary(record), history: await unpack(path, record) };
    },

    async list() {
      const records = await Promise.all((await archivedIds(folder)).map((id) => readRecord(pathOf(id, 'json'))));
      return records.filter((record) => record !== null).map(summary);
    },

    async nextNumber(subject) {
      const numbers = (await archivedIds(folder)).map(parseTicketId).filter((id) => id?.subject === subject);
      return 1 + Math.max(0, ...numbers.map((id) => id?.number ?? 0));
    },
  };
}

/** There: an earlier try was interrupted. */
function unlessGoneOrThere(failure: NodeJS.ErrnoException): void {
  if (failure.code !== 'ENOENT' && failure.code !== 'EEXIST') throw failure;
}

/** The record on disk. `v` rises when a reader of the old form would misread the new one. */
const ArchiveRecord = z.object({
  v: z.literal(1),
  ticket: z.custom<Ticket>((value) => typeof (value as Ticket | null)?.id === 'string'),
  closedAt: z.string(),
  phase: z.custom<Phase>((value) => typeof value === 'string'),
  trail: z.custom<readonly TrailEvent[]>(Array.isArray),
  report: z.string(),
  /** gzip in base64: a history shrinks to about a tenth. */
  historyGz: z.string().nullable(),
  run: z.string().optional(),
});
type ArchiveRecord = z.infer<typeof ArchiveRecord>;

async function toRecord({ history, ...rest }: ArchivedTicket): Promise<string> {
  const historyGz = history === null ? null : (await promisify(gzip)(history)).toString('base64');
  return JSON.stringify({ v: 1, ...rest, historyGz } satisfies ArchiveRecord);
}

async function unpack(path: string, { historyGz }: ArchiveRecord): Promise<string | null> {
  if (historyGz === null) return null;
  try {
    return (await promisify(gunzip)(Buffer.from(historyGz, 'base64'))).toString('utf8');
  } catch (failure) {
    throw new MedicError('MEDIC_ARCHIVE_UNREADABLE', `${path}: its history cannot be unpacked: ${String(failure)}`);
  }
}

const summary = ({ v: _v, historyGz: _history, ...rest }: ArchiveRecord): ArchivedSummary => rest;

async function readRecord(path: string): Promise<ArchiveRecord | null> {
  const text = await readFile(path, 'utf8').catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return null;
    throw failure;
  });
  return text === null ? null : parseRecord(path, text);
}

function parseRecord(path: string, text: string): ArchiveRecord {
  try {
    return ArchiveRecord.parse(JSON.parse(text));
  } catch (failure) {
    const why =
      failure instanceof z.ZodError
        ? `its \`${failure.issues[0]?.path.join('.')}\` is not as expected`
        : String(failure);
    throw new MedicError('MEDIC_ARCHIVE_UNREADABLE', `${path}: ${why}`);
  }
}

async function archivedIds(folder: string): Promise<TicketId[]> {
  const names = await readdir(folder).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === 'ENOENT') return [];
    throw failure;
  });
  return names.flatMap(idOf).sort(bySubjectAndNumber);
}

/** The last hyphen separates the number: a subject may have hyphens of its own. */
function idOf(name: string): TicketId[] {
  const match = /^([a-z][a-z0-9-]*)-([1-9][0-9]*)\.json$/.exec(name);
  return match?.[1] && match[2] ? [ticketId(match[1], Number(match[2]))] : [];
}

function bySubjectAndNumber(a: TicketId, b: TicketId): number {
  const [left, right] = [parseTicketId(a), parseTicketId(b)];
  if (!left || !right) return 0;
  return left.subject.localeCompare(right.subject) || left.number - right.number;
}
