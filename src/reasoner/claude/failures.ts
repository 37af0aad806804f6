import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
import type { Settlement } from '../../domain/reservation.js';
import { ModelFailure } from '../model-failure.js';

/** What a failed call means for asking again, and for the money that was reserved for it. */
export interface CallFailure {
  readonly failure: ModelFailure;
  readonly owed: Exclude<Settlement['outcome'], { kind: 'used' }>;
}

/** The request itself is wrong or not allowed: it would be refused again. 402 is a bill that nobody paid. */
const FINAL = [400, 401, 402, 403, 404, 413, 422];

/**
 * Reads an error of the SDK. A status other than 2xx is a refusal that costs nothing; a time-out, a cut answer or an
 * abort may have been paid for.
 */
export function failureOf(error: unknown, model: string): CallFailure {
  if (error instanceof APIUserAbortError) return unsure('it was aborted', model);
  if (error instanceof APIConnectionTimeoutError) return unsure('no answer within the time for one call', model);
  if (error instanceof APIConnectionError) return byConnection(error, model);
  if (error instanceof APIError && typeof error.status === 'number') return byStatus(error, error.status, model);
  return unsure(`the answer broke off: ${error instanceof Error ? error.message : String(error)}`, model);
}

function byStatus(error: APIError, status: number, model: string): CallFailure {
  const words = `${model}: HTTP ${status}: ${error.apiMessage ?? error.type ?? 'no reason given'}${requestOf(error)}`;
  const failure = FINAL.includes(status)
    ? new ModelFailure('final', `${words}. ${ADVICE[status] ?? ''}`.trim())
    : new ModelFailure('retry', words, retryAfterMs(error));
  return { failure, owed: { kind: 'released', why: `HTTP ${status}` } };
}

const ADVICE: Readonly<Record<number, string>> = {
  401: 'Check ANTHROPIC_API_KEY.',
  402: 'Check the billing of the API account.',
  403: 'This key may not use the model.',
  404: 'Check `use` in agents/models.yaml and ANTHROPIC_BASE_URL.',
  413: 'Lower `contextTokens` in agents/models.yaml.',
};

/** Refused or unknown to the name service: the request never left. A connection that was cut may have carried it. */
const NEVER_LEFT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

function byConnection(error: APIConnectionError, model: string): CallFailure {
  const code = codeOf(error);
  const words = `the connection failed${code ? ` (${code})` : ''}`;
  if (code === null || !NEVER_LEFT.includes(code)) return unsure(words, model);
  return { failure: new ModelFailure('retry', `${model}: ${words}`), owed: { kind: 'released', why: code } };
}

function codeOf(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return null;
}

const unsure = (words: string, model: string): CallFailure => ({
  failure: new ModelFailure('retry', `${model}: ${words}`),
  owed: { kind: 'unknown', why: words },
});

const requestOf = ({ requestID }: APIError): string => (requestID ? ` (request ${requestID})` : '');

/** At most a minute: the ticket has other ways to go on. */
const MAX_RETRY_AFTER_MS = 60_000;

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterMs({ headers }: APIError): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return bounded(ms);
  const after = headers?.get('retry-after');
  if (!after) return undefined;
  const seconds = Number(after);
  return bounded(Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - Date.now());
}

const bounded = (ms: number): number | undefined =>
  Number.isFinite(ms) && ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
