import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AlertReport, type NodesOf, sortAlerts } from '../../domain/alert.js';
import { MedicError } from '../../domain/errors.js';
import { type Listening, listen } from '../../telemetry/listen.js';
import { readWebhook } from './alertmanager.js';

export interface IntakeOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Read anew for each request. Rejects with `MEDIC_SECRET_MISSING`. */
  readonly token: () => Promise<string>;
  readonly nodes: NodesOf;
  /** Hands it to the desk; rejects while that cannot be reached. */
  readonly report: (report: AlertReport) => Promise<void>;
  readonly log: (message: string, fields: Record<string, unknown>) => void;
}

const MAX_BYTES = 1024 * 1024;
const WITHIN_MS = 10_000;
const PATH = '/intake/alertmanager';

/**
 * Takes alerts: `POST /intake/alertmanager` with a bearer token. It answers 200 only once the desk has them, so that a
 * sender that repeats what failed loses nothing; a repeat of what the desk has changes nothing. Throws `MEDIC_PORT_TAKEN`.
 */
export async function startIntake(options: IntakeOptions): Promise<Listening> {
  const server = createServer((request, response) => {
    answer(request, options).then(
      (reply) => send(request, response, reply),
      (failure: Error) => send(request, response, { status: 500, body: { error: failure.message } }),
    );
  });
  server.requestTimeout = WITHIN_MS;
  const { host, port } = options;
  return listen(server, { host, port, words: `${host}:${port} of \`intake\`` });
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

const no = (status: number, error: string): Reply => ({ status, body: { error } });

async function answer(request: IncomingMessage, options: IntakeOptions): Promise<Reply> {
  if (request.url?.split('?')[0] !== PATH) return no(404, `there is ${PATH}`);
  if (request.method !== 'POST') return no(405, 'only POST');
  const stranger = await whyStranger(request, options);
  if (stranger) return stranger;
  const body = await bodyOf(request);
  if (body === null) return no(413, `at most ${MAX_BYTES} bytes are read`);
  const read = readWebhook(body);
  if (!read.ok) return no(400, read.why);
  const { reports, ignored } = sortAlerts(read.alerts, options.nodes);
  for (const { alert, why } of ignored) options.log('an alert files nothing', { alert, why });
  try {
    for (const report of reports) await options.report(report);
  } catch (error) {
    options.log('alerts did not reach the desk', { error: String(error) });
    return no(503, 'the desk cannot be reached; send it again');
  }
  const count = (of: 'active' | 'cleared') => reports.reduce((sum, report) => sum + report[of].length, 0);
  return { status: 200, body: { active: count('active'), cleared: count('cleared'), ignored } };
}

async function whyStranger(
  { headers: { authorization } }: IncomingMessage,
  { token, log }: IntakeOptions,
): Promise<Reply | null> {
  try {
    const expected = await token();
    const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
    return isSame(given, expected) ? null : no(401, 'a bearer token is needed, and this is not it');
  } catch (error) {
    if (!(error instanceof MedicError)) throw error;
    log('the token of the intake cannot be read', { error: `${error.code}  ${error.message}` });
    return no(503, 'the token cannot be checked now');
  }
}

/** In the same time, however much of it is right. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `null`: it is too long; the rest is not read. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(request: IncomingMessage, response: ServerResponse, { status, body }: Reply): void {
  const text = `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    // What was not read would be taken for the next request.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(text);
}
