import { resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import { MedicError } from '../domain/errors.js';
import { createArchive } from '../evidence/archive.js';
import { connectClient } from '../runtime/connection.js';
import { type RunningInstance, readInstance } from '../runtime/process/instance.js';
import { createTicketBook, type TicketBook } from '../runtime/ticket-book.js';

/** What a verb works with: the running instance of a home, or only its archive. */
export interface Session {
  readonly home: string;
  readonly instance: RunningInstance | null;
  readonly client: Client | null;
  readonly book: TicketBook;
  close(): Promise<void>;
}

/**
 * Opens the home. Reading verbs go on with the archive alone when nothing runs there; `why` then says what cannot be
 * reached.
 */
export async function openSession(home: string): Promise<Session & { readonly why: string | null }> {
  const archive = createArchive({ home: resolve(home) });
  const archiveOnly = (why: string) => ({
    home: resolve(home),
    instance: null,
    client: null,
    book: createTicketBook({ client: null, archive }),
    why,
    close: async () => {},
  });
  try {
    const instance = readInstance({ home });
    const { client, connection } = await connectClient({ address: instance.address, namespace: instance.namespace });
    const book = createTicketBook({ client, archive });
    return { home: resolve(home), instance, client, book, why: null, close: () => connection.close() };
  } catch (error) {
    if (error instanceof MedicError) return archiveOnly(`${error.code} ${error.message}`);
    throw error;
  }
}

/** For verbs that need the running instance. Throws `MEDIC_INSTANCE_NOT_RUNNING` or `MEDIC_TEMPORAL_UNREACHABLE`. */
export async function openLiveSession(
  home: string,
): Promise<Session & { readonly client: Client; readonly instance: RunningInstance }> {
  const instance = readInstance({ home });
  const { client, connection } = await connectClient({ address: instance.address, namespace: instance.namespace });
  const book = createTicketBook({ client, archive: createArchive({ home: resolve(home) }) });
  return { home: resolve(home), instance, client, book, close: () => connection.close() };
}
