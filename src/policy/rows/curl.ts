import type { HttpCall } from '../../domain/query.js';
import type { Argv, CommandClass, CommandRow, HttpRow } from '../row.js';
import { type Given, readOptions } from '../shell/options.js';
import { isLiteral } from '../shell/words.js';
import { classifyHttp } from './http.js';

/** How HTTP that a program sends is told apart: by the API that listens on its endpoint. */
export interface HttpSenders {
  readonly httpRows: readonly HttpRow[];
  /** `host:port` to API name, from the inventory. */
  readonly endpoints: Readonly<Record<string, string>>;
}

/** `curl` and `wget` count as the one HTTP call they send; with any other option or endpoint they are unknown. */
export const httpSenderRows = (senders: HttpSenders): readonly CommandRow[] => [
  { program: 'curl', classify: (argv) => classifySent(readCurl(argv, senders), senders) },
  { program: 'wget', classify: (argv) => classifySent(readWget(argv, senders), senders) },
];

const classifySent = (call: HttpCall | null, { httpRows }: HttpSenders): CommandClass | null =>
  call && classifyHttp(call, httpRows);

/** Options that only shape the output, and those that make the request; `-L`, `-K`, `-T`, `-x`, `-u` are not read. */
const CURL = {
  flags: 'sSfikvgN46',
  valued: 'XmdHow',
  longs: ['silent', 'show-error', 'fail', 'globoff', 'no-buffer'],
  longValued: ['request', 'max-time', 'connect-timeout', 'retry', 'data', 'data-raw', 'header', 'output'],
  order: 'mixed',
} as const;

function readCurl({ words }: Argv, senders: HttpSenders): HttpCall | null {
  const options = readOptions(words.slice(1), CURL);
  const [url, second] = options?.operands ?? [];
  if (!options || !url || second || !isLiteral(url) || !options.given.every(isHarmless)) return null;
  const body = last(options.given, ['d', 'data', 'data-raw']);
  const method = last(options.given, ['X', 'request']) ?? (body === null ? 'GET' : 'POST');
  return toCall({ url: url.text, method, body }, senders);
}

/** An `@` makes curl read a file, `%output` write one, and a header may override the method. */
function isHarmless({ name, value }: Given): boolean {
  if (name === 'o' || name === 'output') return value === '/dev/null';
  if (name === 'H' || name === 'header') return /^(Accept|Content-Type):/i.test(value ?? '');
  if (name === 'w') return !/^@|%output/.test(value ?? '');
  return name !== 'd' && name !== 'data' ? true : !value?.startsWith('@');
}

function readWget({ words }: Argv, senders: HttpSenders): HttpCall | null {
  const options = readOptions(words.slice(1), { flags: 'qS', valued: 'OTt', order: 'mixed' });
  const [url, second] = options?.operands ?? [];
  if (!options || !url || second || !isLiteral(url)) return null;
  const output = last(options.given, ['O']);
  return output === '-' || output === '/dev/null'
    ? toCall({ url: url.text, method: 'GET', body: null }, senders)
    : null;
}

function toCall(
  { url, method, body }: { url: string; method: string; body: string | null },
  { endpoints }: HttpSenders,
): HttpCall | null {
  const match = /^(?:https?:\/\/)?([A-Za-z0-9.-]+:\d+)(\/[^{}[\]]*)?$/.exec(url);
  const api = match?.[1] && Object.hasOwn(endpoints, match[1]) ? endpoints[match[1]] : undefined;
  if (!api || !isMethod(method)) return null;
  return { kind: 'http', api, method, path: match?.[2] ?? '/', ...(body === null ? {} : { body }) };
}

const isMethod = (text: string): text is HttpCall['method'] => /^(GET|POST|PUT|DELETE)$/.test(text);

const last = (given: readonly Given[], names: readonly string[]): string | null =>
  given.filter(({ name }) => names.includes(name)).at(-1)?.value ?? null;
