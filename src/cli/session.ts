import { resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import { MedicError } from '../domain/errors.js';
import { createArchive } from '../evidence/archive.js';
import { connectClient } from '../runtime/connection.js';
import { type RunningInstance, readInstance } from '../runtime/process/instance.js';
import { createTicketBook, type TicketBook } from '../runtime/ticket-book.js';
import type { Screen } from './screen.js';
import { asSilence } from './silence.js';

/** What a reading verb works with. */
export interface Session {
  /** `null`: only the archive of the home is read. */
  readonly client: Client | null;
  readonly book: TicketBook;
  /** Why only the archive is read, in words; `null` when everything is. */
  readonly why: string | null;
  /** Something runs on the home, but it did not answer: what is open is not shown. */
  readonly isSilent: boolean;
}

/** What a verb that says something works with. */
export interface LiveSession extends Session {
  readonly client: Client;
}

export interface SessionOptions {
  readonly home: string;
  /** Where it is said what could not be reached; absent for a verb that is about the archive only. */
  readonly screen?: Screen;
}

/**
 * Runs a reading verb on a home. When nothing runs there, or its Temporal or its worker does not answer, it goes on with the
 * archive and says so at its end; a ticket that is not in it may then exist all the same, and the error says that.
 */
export async function withSession<T>(options: SessionOptions, use: (session: Session) => Promise<T>): Promise<T> {
  const reached = await reach(options.home);
  try {
    return await useOf(reached, options, use);
  } catch (error) {
    const silence = reached.client && (await asSilence(error));
    if (silence?.code !== 'MEDIC_WORKER_SILENT') throw error;
    return await useOf(archiveOf(options.home, silence), options, use);
  } finally {
    await reached.close();
  }
}

async function useOf<T>(
  session: Session,
  { home, screen }: SessionOptions,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  try {
    const result = await use(session);
    if (session.isSilent) screen?.err(onlyArchive(session));
    return result;
  } catch (error) {
    const { why } = session;
    if (why === null || !(error instanceof MedicError) || error.code !== 'MEDIC_TICKET_UNKNOWN') throw error;
    throw new MedicError(error.code, `${error.message}; only the archive of ${home} was read: ${why}`, error.next);
  }
}

/** What a verb says that read no more than the archive. */
export const onlyArchive = ({ why }: Pick<Session, 'why'>): string => `only the archive was read: ${why}`;

type Reached<S extends Session> = S & { close(): Promise<void> };

async function reach(home: string): Promise<Reached<Session>> {
  try {
    return await reachLive(readInstance({ home }), home);
  } catch (error) {
    if (!(error instanceof MedicError)) throw error;
    return { ...archiveOf(home, error), close: async () => {} };
  }
}

/** What is left when somebody does not answer. */
function archiveOf(home: string, { code, message: why }: MedicError): Session {
  const book = createTicketBook({ client: null, archive: archiveIn(home) });
  return { client: null, book, why, isSilent: code !== 'MEDIC_INSTANCE_NOT_RUNNING' };
}

async function reachLive({ address, namespace }: RunningInstance, home: string): Promise<Reached<LiveSession>> {
  const { client, connection } = await connectClient({ address, namespace });
  const book = createTicketBook({ client, archive: archiveIn(home) });
  return { client, book, why: null, isSilent: false, close: () => connection.close() };
}

const archiveIn = (home: string) => createArchive({ home: resolve(home) });

/**
 * Runs a verb that needs the running instance.
 *
 * @throws MedicError `MEDIC_INSTANCE_NOT_RUNNING` or `MEDIC_TEMPORAL_UNREACHABLE`
 */
export async function withLiveSession<T>(home: string, use: (session: LiveSession) => Promise<T>): Promise<T> {
  const live = await reachLive(readInstance({ home }), home);
  try {
    return await use(live);
  } finally {
    await live.close();
  }
}
