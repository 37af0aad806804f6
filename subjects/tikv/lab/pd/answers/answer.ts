import { stringify } from 'lossless-json';

/** A finished HTTP answer. */
export interface Answer {
  readonly status: number;
  /** Absent with an empty body. */
  readonly contentType?: string;
  /** Go's `http.Error` and its 404 forbid the browser to guess. */
  readonly noSniff?: true;
  readonly body: string;
}

/** Most of v1. Note the capitals, which v2 does not have. */
export const JSON_V1 = 'application/json; charset=UTF-8';
export const JSON_V2 = 'application/json; charset=utf-8';
/** Lists of regions are encoded by hand in PD and leave without a JSON type. */
export const OCTETS = 'application/octet-stream';
const TEXT = 'text/plain; charset=utf-8';

/** A value as JSON. `bigint` becomes a plain number, which is how PD sends its 64-bit ids. */
export function json(value: unknown, status = 200): Answer {
  return { status, contentType: JSON_V1, body: `${toJson(value, 2)}\n` };
}

/** Regions, in PD's compact encoding. */
export function octets(value: unknown): Answer {
  return { status: 200, contentType: OCTETS, body: toJson(value) };
}

/** v2 indents by four. */
export function jsonV2(value: unknown, status = 200): Answer {
  return { status, contentType: JSON_V2, body: toJson(value, 4) };
}

/** Plain text as an error of Go's standard library or of PD's forwarding layer. */
export function plainError(status: number, line: string): Answer {
  return { status, contentType: TEXT, noSniff: true, body: `${line}\n` };
}

/** Plain text without further ado. */
export function text(body: string): Answer {
  return { status: 200, contentType: TEXT, body };
}

/** No body, and so no type. */
export function empty(status = 200): Answer {
  return { status, body: '' };
}

export const NOT_FOUND = plainError(404, '404 page not found');
/** Gin's 404 under /pd/api/v2 has neither the line's end nor a charset. */
export const NOT_FOUND_V2: Answer = { status: 404, contentType: 'text/plain', body: '404 page not found' };
export const METHOD_NOT_ALLOWED = empty(405);

/** PD's words before the first store. */
export const NOT_BOOTSTRAPPED_TEXT =
  '[PD:cluster:ErrNotBootstrapped]TiKV cluster not bootstrapped, please start TiKV first';

/** For every question about stores, regions and schedulers that is asked before the first store, or of a follower. */
export const NOT_BOOTSTRAPPED = json(NOT_BOOTSTRAPPED_TEXT, 500);

/** A request that PD could not read, as an object (PD: `apiutil.ErrorResp`). `data` is Go's error as JSON. */
export function inputError(msg: string, data: object = {}): Answer {
  return json({ code: 'input', msg, data }, 400);
}

/** v2's word for "I know no leader"; v1's has its own in the forwarding layer. */
export const LEADER_NIL_TEXT = '[PD:server:ErrLeaderNil]leader is nil';

/** Go's complaint about a number that is none, in the words of `strconv`. */
export function parseErrorText(call: 'Atoi' | 'ParseInt' | 'ParseUint', input: string): string {
  return `strconv.${call}: parsing ${JSON.stringify(input)}: invalid syntax`;
}

function toJson(value: unknown, indent?: number): string {
  return stringify(value, undefined, indent) ?? 'null';
}
