import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** What the status port shows; each answer is made when it is asked for. */
export interface StatusSources {
  readonly metricsText: () => Promise<string>;
  readonly config: () => object;
  /** Null for a region without a peer here. */
  readonly region: (regionId: number) => object | null;
}

export interface StatusPortOptions extends StatusSources {
  readonly host: string;
  readonly port: number;
}

/** TiKV's port 20180: plain HTTP, read only. */
export async function openStatusPort({ host, port, ...sources }: StatusPortOptions): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response, sources));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, sources: StatusSources): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://store').pathname;
  const region = /^\/region\/(\d+)$/.exec(path);
  if (region) return regionAnswer(response, sources.region(Number(region[1])));
  switch (path) {
    case '/status':
      return send(response, { status: 200, type: null, body: '' });
    case '/metrics':
      return send(response, { status: 200, type: 'text/plain; version=0.0.4', body: await sources.metricsText() });
    case '/config':
      return send(response, json(sources.config()));
    case '/engine_type':
      return send(response, { status: 200, type: 'text/plain', body: 'raft-kv' });
    default:
      return send(response, { status: 404, type: null, body: 'path not found' });
  }
}

interface Answer {
  readonly status: number;
  /** TiKV sends no content type with plain texts. */
  readonly type: string | null;
  readonly body: string;
}

function regionAnswer(response: ServerResponse, region: object | null): void {
  send(response, region === null ? { status: 404, type: null, body: 'region not found' } : json(region));
}

function json(body: object): Answer {
  return { status: 200, type: 'application/json', body: JSON.stringify(body) };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  const headers = { 'content-length': Buffer.byteLength(body), ...(type === null ? {} : { 'content-type': type }) };
  response.writeHead(status, headers).end(body);
}
