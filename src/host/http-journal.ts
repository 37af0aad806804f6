import { randomUUID } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instant, instant } from '../domain/ids.js';
import type { HttpCall } from '../domain/query.js';
import { syncFolder, writeAtomically } from '../evidence/write-atomically.js';
import { type JournalKey, keyName } from './journal.js';

/** What a call came to. `status` null: no answer, `failure` says why. */
export interface HttpReply {
  readonly status: number | null;
  /** The begin of the body, at most {@link KEPT_CHARACTERS}. */
  readonly body: string;
  readonly failure?: string;
  /** Set when for certain nobody got it: every connection was refused. */
  readonly sent?: false;
}

/** What the journal says about a key. */
export type HttpEntry =
  /** It was not sent. */
  | { readonly state: 'none' }
  /** Whoever sent it was lost before its end: it may or may not have arrived. */
  | { readonly state: 'started'; readonly startedAt: Instant }
  | {
      readonly state: 'finished';
      readonly startedAt: Instant;
      readonly finishedAt: Instant;
      readonly reply: HttpReply;
    };

export type HttpOnceAnswer =
  | { readonly kind: 'ran'; readonly reply: HttpReply }
  /** The key was used before: nothing was sent now. */
  | { readonly kind: 'already'; readonly entry: HttpEntry }
  /** Nothing was sent, for certain. */
  | { readonly kind: 'not-run'; readonly reason: string };

export interface HttpOnce {
  readonly key: JournalKey;
  readonly call: HttpCall;
  /** Hard deadline of the whole call. */
  readonly timeoutMs: number;
  /** Sends it and never throws; ends with no answer when the signal fires. */
  readonly send: (signal: AbortSignal) => Promise<HttpReply>;
}

/** The journal of calls that Medic sends itself. It lies in the instance's home, as no host runs them. */
export interface HttpJournal {
  /**
   * Sends the call unless the key was used before. The key is taken on disk before the first byte leaves, so a call whose
   * sender was killed is never sent again: its entry has no end, and somebody has to look at the subject.
   */
  sendOnce(once: HttpOnce, signal: AbortSignal): Promise<HttpOnceAnswer>;
  read(key: JournalKey): Promise<HttpEntry>;
}

/** An answer to a change is a sentence; the rest would only fill the disk. */
const KEPT_CHARACTERS = 16_384;

export function createHttpJournal({ dir, now }: { readonly dir: string; readonly now: () => number }): HttpJournal {
  const folderOf = (key: JournalKey) => join(dir, keyName(key));
  const read = (key: JournalKey) => readEntry(folderOf(key));
  return {
    read,
    async sendOnce({ key, call, timeoutMs, send }, signal) {
      if (signal.aborted) return { kind: 'not-run', reason: 'canceled before it was sent' };
      const folder = folderOf(key);
      const claim = await claimKey(folder, { startedAt: instant(now()), call });
      if (claim === 'taken') return { kind: 'already', entry: await read(key) };
      if (claim !== 'claimed') return { kind: 'not-run', reason: `the journal was not written (${claim.why})` };
      const reply = kept(await sendInTime({ send, timeoutMs, signal }));
      await writeAtomically(join(folder, 'exit'), textOf({ finishedAt: instant(now()), reply }));
      return { kind: 'ran', reply };
    },
  };
}

interface Started {
  readonly startedAt: Instant;
  readonly call: HttpCall;
}

/** A hard link to a finished file: the claim is there with all it says, or not at all. */
async function claimKey(folder: string, started: Started): Promise<'claimed' | 'taken' | { readonly why: string }> {
  const draft = join(folder, `started.${randomUUID()}`);
  try {
    await writeAtomically(draft, textOf(started));
    await link(draft, join(folder, 'started'));
    // A claim that a power cut takes back would let the call be sent twice.
    await syncFolder(folder);
    return 'claimed';
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return code === 'EEXIST' && (await readJson(join(folder, 'started'))) !== null ? 'taken' : { why: code };
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function sendInTime({
  send,
  timeoutMs,
  signal,
}: Pick<HttpOnce, 'send' | 'timeoutMs'> & { readonly signal: AbortSignal }): Promise<HttpReply> {
  const own = new AbortController();
  const abort = () => own.abort();
  signal.addEventListener('abort', abort, { once: true });
  const deadline = setTimeout(abort, timeoutMs);
  try {
    return await send(own.signal);
  } catch (error) {
    return { status: null, body: '', failure: String(error) };
  } finally {
    clearTimeout(deadline);
    signal.removeEventListener('abort', abort);
  }
}

const kept = ({ status, body, failure, sent }: HttpReply): HttpReply => ({
  status,
  body: body.slice(0, KEPT_CHARACTERS),
  ...(failure === undefined ? {} : { failure }),
  ...(sent === undefined ? {} : { sent }),
});

async function readEntry(folder: string): Promise<HttpEntry> {
  const started = (await readJson(join(folder, 'started'))) as Started | null;
  if (!started) return { state: 'none' };
  const ended = (await readJson(join(folder, 'exit'))) as { finishedAt: Instant; reply: HttpReply } | null;
  if (!ended) return { state: 'started', startedAt: started.startedAt };
  return { state: 'finished', startedAt: started.startedAt, ...ended };
}

const textOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
