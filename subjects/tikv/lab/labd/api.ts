import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { MedicError } from '../../../../src/domain/errors.js';
import { labPaths } from './files.js';
import { readNodeLog } from './node-log.js';
import type { LabIdentity } from './report.js';
import type { Supervisor } from './supervisor.js';

/** How long a stop waits between SIGTERM and SIGKILL when the request does not say; `docker stop` waits as long. */
export const STOP_GRACE_MS = 10_000;

/** What labd's API serves. */
export interface ApiDeps {
  readonly identity: LabIdentity;
  readonly token: string;
  readonly supervisor: Supervisor;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * labd's HTTP API, JSON throughout, each request with `Authorization: Bearer <token of lab.json>`:
 *
 *     GET  /v1/lab                                      LabIdentity
 *     GET  /v1/nodes                                    NodeReport[]
 *     GET  /v1/nodes/<name>                             NodeReport
 *     GET  /v1/nodes/<name>/logs?tail=N&since=ISO       string[]
 *     POST /v1/nodes/<name>/start                       StartAnswer
 *     POST /v1/nodes/<name>/stop?graceMs=N              StopAnswer
 *     POST /v1/nodes/<name>/unpause                     UnpauseAnswer
 *
 * Refusals are `{code, message}` with 400, 401 or 404.
 */
export function createApi(deps: ApiDeps): RequestListener {
  return (request, response) => {
    answer(deps, request).then(
      (sent) => send(response, sent),
      (error: unknown) => send(response, refusal(error)),
    );
  };
}

async function answer(deps: ApiDeps, request: IncomingMessage): Promise<Answer> {
  if (!isAuthorised(request, deps.token)) return refused(401, 'the token is not that of this labd');
  const url = new URL(request.url ?? '/', 'http://labd');
  const [version, kind, name, verb] = url.pathname.slice(1).split('/');
  const route = `${request.method} ${[version, kind, name && '*', verb].filter(Boolean).join('/')}`;
  const node = () => deps.supervisor.node(decodeURIComponent(name ?? ''));
  switch (route) {
    case 'GET v1/lab':
      return ok(deps.identity);
    case 'GET v1/nodes':
      return ok(deps.supervisor.nodes.map((each) => each.report()));
    case 'GET v1/nodes/*':
      return ok(node().report());
    case 'GET v1/nodes/*/logs':
      return ok(readNodeLog({ file: labPaths(deps.identity.dir).log(node().name), ...logQuery(url.searchParams) }));
    case 'POST v1/nodes/*/start':
      return ok(await node().start());
    case 'POST v1/nodes/*/stop':
      return ok(await node().stop({ graceMs: countOf(url.searchParams, 'graceMs') ?? STOP_GRACE_MS }));
    case 'POST v1/nodes/*/unpause':
      return ok(await node().unpause());
    default:
      return refused(404, `labd does not know ${request.method} ${url.pathname}`);
  }
}

function isAuthorised({ headers }: IncomingMessage, token: string): boolean {
  const [given, wanted] = [Buffer.from(headers.authorization ?? ''), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function logQuery(search: URLSearchParams): { tail?: number; since?: Date } {
  const since = search.get('since');
  if (since !== null && Number.isNaN(Date.parse(since)))
    throw new MedicError('MEDIC_USAGE', `since=${since} is no ISO time`);
  return { tail: countOf(search, 'tail'), since: since === null ? undefined : new Date(since) };
}

function countOf(search: URLSearchParams, name: string): number | undefined {
  const text = search.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new MedicError('MEDIC_USAGE', `${name}=${text} is no number`);
  return Number(text);
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function refused(status: number, message: string): Answer {
  return { status, body: { code: 'MEDIC_USAGE', message } };
}

function refusal(error: unknown): Answer {
  if (!(error instanceof MedicError))
    return { status: 500, body: { code: 'MEDIC_LAB_FAILED', message: String(error) } };
  const status = error.code === 'MEDIC_LAB_UNKNOWN_NODE' ? 404 : 400;
  return { status, body: { code: error.code, message: error.message } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}
