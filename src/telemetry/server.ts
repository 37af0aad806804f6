import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Registry } from 'prom-client';
import { type Listening, listen } from './listen.js';

/** `failing` with a reason for a person: what is wrong with this process, not with a subject. */
export type Health = { readonly status: 'ok' } | { readonly status: 'failing'; readonly reason: string };

export interface TelemetryServerOptions {
  readonly registry: Registry;
  /** 0 takes any free port. */
  readonly port: number;
  readonly health: () => Health | Promise<Health>;
}

export interface TelemetryServer extends Listening {
  /** `http://127.0.0.1:9464` */
  readonly url: string;
}

/**
 * Serves `/metrics` for Prometheus and `/healthz` (200 or 503) on loopback only: numbers tell a stranger where it
 * hurts. Throws `MEDIC_PORT_TAKEN`.
 */
export async function startTelemetryServer(options: TelemetryServerOptions): Promise<TelemetryServer> {
  const server = createServer((request, response) => {
    answer(request, options).then(
      (reply) => send(request, response, reply),
      (failure: Error) => send(request, response, plain(500, failure.message)),
    );
  });
  const { port } = options;
  const listening = await listen(server, { host: '127.0.0.1', port, words: `port ${port} on 127.0.0.1` });
  return { ...listening, url: `http://127.0.0.1:${listening.port}` };
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function answer({ method, url }: IncomingMessage, { registry, health }: TelemetryServerOptions): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'only GET and HEAD');
  switch (url?.split('?')[0]) {
    case '/metrics':
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    case '/healthz': {
      const found = await health();
      return {
        status: found.status === 'ok' ? 200 : 503,
        type: 'application/json',
        body: `${JSON.stringify(found)}\n`,
      };
    }
    default:
      return plain(404, 'there are /metrics and /healthz');
  }
}

const plain = (status: number, text: string): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${text}\n`,
});

function send({ method }: IncomingMessage, response: ServerResponse, { status, type, body }: Reply): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}
