import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { MedicError } from '../domain/errors.js';
import { parseTicketId, type TicketId, ticketWorkflowId } from '../domain/ids.js';
import { isClosed } from '../domain/phases.js';
import type { TrailEvent } from '../domain/trail.js';
import type { ArchivedTicket } from '../evidence/archive.js';
import { unpackBundle } from '../evidence/bundle.js';
import { createFileStore } from '../evidence/file-store.js';
import { createOverlayStore } from '../evidence/overlay-store.js';
import type { EvidenceStore } from '../evidence/store.js';
import { fetchHistoryText, parseHistory } from '../runtime/history.js';
import { openRunOf } from '../runtime/open-run.js';
import type { Screen } from './screen.js';
import type { Session, SessionOptions } from './session.js';

/** The recorded run of one ticket, wherever it lies. */
export interface TicketRecord {
  /** JSON text of its history. */
  readonly history: string;
  readonly workflowId: string;
  /** `tikv/7 (archive)`, `tikv/7 (running)`, or the file, for messages. */
  readonly source: string;
  /** It lies in a file, and may be of another instance. */
  readonly isFile: boolean;
  /** Bodies of its evidence. */
  readonly evidence: EvidenceStore;
  /** Its story as it was told then; `null`: only its history is there. */
  readonly trail: readonly TrailEvent[] | null;
}

/** Of a file (an exported ticket, or a history as Temporal writes it), or of a ticket of the home. */
export const recordOf = (what: string, session: Session, home: string): Promise<TicketRecord> =>
  isFile(what) ? ofFile(what) : ofTicket(what, session, home);

/** Where such a verb reads: of a file, the home has nothing to say. */
export const placeOf = (what: string, { home }: { readonly home: string }, screen: Screen): SessionOptions =>
  isFile(what) ? { home } : { home, screen };

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const isTicketText = (text: string): boolean => parseTicketId(text) !== null || /^[0-9]+$/.test(text);

/** Of a file: throws `MEDIC_BUNDLE_UNREADABLE` or `MEDIC_HISTORY_UNREADABLE`. */
async function ofFile(path: string): Promise<TicketRecord> {
  const bytes = readFileSync(path);
  if (!isGzip(bytes)) return ofHistoryText(path, bytes.toString('utf8'));
  const { archived, bodies } = await unpackBundle(bytes, path);
  if (archived.history === null) throw new MedicError('MEDIC_HISTORY_UNREADABLE', `${path}: it holds no history`);
  const { id } = archived.ticket;
  const evidence = createOverlayStore({ bodies });
  const { history, trail } = archived;
  return { history, workflowId: ticketWorkflowId(id), source: `${id} (${path})`, evidence, trail, isFile: true };
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function ofHistoryText(path: string, history: string): TicketRecord {
  const started = parseHistory(history, path).events?.[0]?.workflowExecutionStartedEventAttributes;
  const workflowId = started?.workflowId || 'replayed';
  return { history, workflowId, source: path, evidence: createOverlayStore({}), trail: null, isFile: true };
}

async function ofTicket(what: string, session: Session, home: string): Promise<TicketRecord> {
  if (!isTicketText(what)) throw new MedicError('MEDIC_HISTORY_UNREADABLE', `\`${what}\` is no file and no ticket id`);
  const ticket = await session.book.resolve(what);
  const told = await historyOf(ticket, session);
  const evidence = createFileStore({ home: resolve(home) });
  return { ...told, workflowId: ticketWorkflowId(ticket), evidence, isFile: false };
}

/** A ticket that runs, also again after it had ended, is told as it stands; else its archive; else what Temporal kept. */
async function historyOf(
  ticket: TicketId,
  { book, client }: Session,
): Promise<Omit<TicketRecord, 'workflowId' | 'evidence' | 'isFile'>> {
  const workflowId = ticketWorkflowId(ticket);
  const run = client && (await openRunOf(client, ticket));
  const archived = await book.archived(ticket);
  if (client && run) {
    const history = await fetchHistoryText(client, workflowId, run);
    return { history, source: runningWords(ticket, archived), trail: null };
  }
  if (archived?.history) return { history: archived.history, source: `${ticket} (archive)`, trail: archived.trail };
  if (client) return { history: await fetchHistoryText(client, workflowId), source: ticket, trail: null };
  throw new MedicError('MEDIC_TICKET_UNKNOWN', `there is no recorded history of ${ticket}`);
}

/** What is shown of a ticket that the server has open. One that was only handed to a person is archived, too. */
export const runningWords = (ticket: TicketId, archived: ArchivedTicket | null): string =>
  archived && isClosed(archived.phase)
    ? `${ticket} (running again; how it had ended before is in the archive)`
    : `${ticket} (running)`;
