import { buildConnector, Client } from 'undici';
import type { HttpCall } from '../../../src/domain/query.js';
import { createCancel } from './cancel.js';

/** How we show who we are, and know who answers; PEM texts. Absent parts: the system's CAs, no certificate, no header. */
export interface HttpAccess {
  readonly tls?: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    /** Expected in the certificate instead of the host of the address. */
    readonly servername?: string;
  };
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
}

/** One request to one address. */
export interface HttpAsk {
  /** `http://127.0.0.1:2379` */
  readonly origin: string;
  readonly access?: HttpAccess;
  readonly method: HttpCall['method'];
  readonly path: string;
  readonly body?: string;
  /** From the first byte of the connection to the last of the answer. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** An answer of any status, or what happened instead. No answer is never an empty answer. */
export type HttpOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: string;
      readonly ms: number;
      /** The `Date` of whoever answered, whole seconds; absent: it sent none. */
      readonly date?: string;
    }
  | { readonly kind: 'refused'; readonly why: string }
  /** `connected`: a process (or its kernel) took the connection and then said nothing. */
  | { readonly kind: 'silent'; readonly why: string; readonly afterMs: number; readonly connected: boolean }
  | { readonly kind: 'broken'; readonly why: string };

/** Beyond this the rest of an answer is not read; `/regions` of a large cluster is the largest thing asked for. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Asks once, over a connection of its own: a kept connection would hide that a port refuses new ones, and its end would
 * look like a failure of the next request. Never throws.
 */
export async function askHttp(ask: HttpAsk): Promise<HttpOutcome> {
  const startedAt = performance.now();
  const wire = { connected: false, timedOut: false };
  const cancel = createCancel(ask.signal);
  const timer = setTimeout(() => {
    wire.timedOut = true;
    cancel.cancel();
  }, ask.deadlineMs);
  const client = openClient(ask, wire);
  try {
    const { statusCode, headers, body } = await client.request({ ...requestOf(ask), signal: cancel.signal });
    const date = typeof headers.date === 'string' ? { date: headers.date } : {};
    return { kind: 'answered', status: statusCode, body: await body.text(), ms: since(startedAt), ...date };
  } catch (error) {
    return failureOf(error, { ...wire, afterMs: since(startedAt) });
  } finally {
    clearTimeout(timer);
    cancel.release();
    await client.destroy().catch(() => undefined);
  }
}

function openClient({ origin, deadlineMs, access }: HttpAsk, wire: { connected: boolean }): Client {
  const connect = buildConnector({ timeout: deadlineMs, ...access?.tls });
  return new Client(origin, {
    pipelining: 0,
    maxResponseSize: MAX_BODY_BYTES,
    connect: (options, callback) =>
      connect(options, (...result) => {
        wire.connected = result[0] === null;
        callback(...result);
      }),
  });
}

function requestOf({ method, path, body, access }: HttpAsk) {
  const authorization = access?.token === undefined ? {} : { authorization: `Bearer ${access.token}` };
  if (body === undefined) return { method, path, headers: authorization };
  return { method, path, body, headers: { ...authorization, 'content-type': 'application/json' } };
}

interface Circumstances {
  readonly connected: boolean;
  readonly afterMs: number;
  readonly timedOut: boolean;
}

function failureOf(error: unknown, { connected, afterMs, timedOut }: Circumstances): HttpOutcome {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return { kind: 'refused', why: 'connection refused' };
  if (!timedOut && code !== 'UND_ERR_CONNECT_TIMEOUT') return { kind: 'broken', why: message };
  const how = connected ? 'connected, but no answer' : 'no connection';
  return { kind: 'silent', why: `${how} within ${afterMs} ms`, afterMs, connected };
}

function since(start: number): number {
  return Math.round(performance.now() - start);
}
