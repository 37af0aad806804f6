import { readFile, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import { QUERIES } from '../../workflows/contract.js';
import { readConfigText } from '../config/yaml-file.js';
import { MedicError } from '../domain/errors.js';
import { instant, type TicketId, ticketWorkflowId } from '../domain/ids.js';
import { writeReport } from '../domain/report.js';
import type { Ticket } from '../domain/ticket.js';
import { type ArchivedTicket, createArchive } from '../evidence/archive.js';
import { gather, packBundle, unpackBundle } from '../evidence/bundle.js';
import { createFileStore } from '../evidence/file-store.js';
import { allSettled } from '../runtime/all-settled.js';
import { contentFiles } from '../runtime/content.js';
import { fetchHistoryText } from '../runtime/history.js';
import { openRunOf } from '../runtime/open-run.js';
import { EXIT } from './exit-codes.js';
import { runningWords } from './record.js';
import type { Screen } from './screen.js';
import { type Session, withSession } from './session.js';

interface BundleOptions {
  readonly home: string;
}

/** `medic export T [FILE]`: one ticket, open or closed, with all its evidence in one file. */
export const exportTicket = (
  text: string,
  file: string | undefined,
  { home }: BundleOptions,
  screen: Screen,
): Promise<number> =>
  withSession({ home, screen }, async (session) => {
    const id = await session.book.resolve(text);
    const { archived, source } = await recordedIn(session, id);
    const store = createFileStore({ home: resolve(home) });
    const bundle = await gather(archived, { store, content: await contentHashes() });
    const path = file ?? `${id.replace('/', '-')}.medic.gz`;
    const bytes = await packBundle(bundle);
    await writeFile(path, bytes, { mode: 0o600 }).catch((failure: Error) => {
      throw new MedicError('MEDIC_BUNDLE_UNWRITABLE', `${path}: ${failure.message}`);
    });
    screen.out(path);
    screen.err(`${source}: ${archived.phase}, ${bundle.bodies.size} bodies of evidence, ${bytes.length} bytes`);
    return EXIT.ok;
  });

/** `medic import FILE`: into the archive of a home, to be read, replayed and thought again there. */
export async function importBundle(file: string, { home }: BundleOptions, screen: Screen): Promise<number> {
  const bytes = await readFile(file).catch((failure: Error) => {
    throw new MedicError('MEDIC_BUNDLE_UNREADABLE', failure.message);
  });
  const { archived, bodies } = await unpackBundle(bytes, file);
  const folder = resolve(home);
  const archive = createArchive({ home: folder });
  const { id } = archived.ticket;
  const known = await archive.load(id);
  if (known && known.run !== archived.run)
    throw new MedicError('MEDIC_IMPORT_EXISTS', `${folder} has a ticket ${id} of its own`);
  if (known && known.closedAt > archived.closedAt)
    throw new MedicError('MEDIC_IMPORT_EXISTS', `${folder} has a later record of ${id} (${known.phase})`);
  const store = createFileStore({ home: folder });
  for (const body of bodies.values()) await store.put(body);
  await archive.save(archived);
  screen.out(id);
  screen.err(`${id} (${archived.phase}), ${bodies.size} bodies of evidence`);
  return EXIT.ok;
}

/** A query needs a worker; without one it fails only after half a minute. */
const QUERY_MS = 8_000;

/** As it stands now while the server has it open, also again after it had ended; else from the archive. */
async function recordedIn(
  { book, client }: Session,
  id: TicketId,
): Promise<{ archived: ArchivedTicket; source: string }> {
  const run = client && (await openRunOf(client, id));
  const archived = await book.archived(id);
  if (client && run) {
    const source = runningWords(id, archived);
    return { archived: await standing(client, id, run), source };
  }
  return archived ? { archived, source: `${id} (archive)` } : unknown(id);
}

async function standing(client: Client, id: TicketId, run: string): Promise<ArchivedTicket> {
  const workflowId = ticketWorkflowId(id);
  const [ticket, history] = await allSettled([
    client.withDeadline(Date.now() + QUERY_MS, () =>
      client.workflow.getHandle(workflowId, run).query<Ticket>(QUERIES.ticket),
    ),
    fetchHistoryText(client, workflowId, run),
  ]);
  const { phase, trail } = ticket;
  const closedAt = instant(Date.now());
  return { ticket, closedAt, phase, trail: trail.events, report: writeReport(ticket), history, run };
}

function unknown(id: TicketId): never {
  throw new MedicError('MEDIC_TICKET_UNKNOWN', `there is no ticket ${id}`);
}

async function contentHashes(): Promise<Record<string, string>> {
  const files = Object.values(contentFiles());
  const entries = files.map(async (path) => [basename(path), (await readConfigText(path)).sha256] as const);
  return Object.fromEntries(await Promise.all(entries));
}
