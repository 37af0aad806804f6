import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Connection,
  connectLink,
  type Link,
  type LinkOptions,
  type LinkServer,
  listen,
} from '../../../../subjects/tikv/lab/peer-link.js';
import { waitFor } from './wait.js';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function serve(onFrame: (message: unknown, connection: Connection) => void, port = 0): Promise<LinkServer> {
  const server = await listen({ host: '127.0.0.1', port, onFrame });
  open.push(server);
  return server;
}

function dial(port: number, options: Partial<LinkOptions> = {}): Link {
  const link = connectLink({ host: '127.0.0.1', port, onFrame: () => undefined, ...options });
  open.push(link);
  return link;
}

const seen = (what: string, look: () => unknown[], count: number) =>
  waitFor({ what, withinMs: 5_000, look, until: (list) => list.length >= count });

describe('a link between processes', () => {
  it('carries messages in order and brings the answers back', async () => {
    const server = await serve((message, connection) => connection.send({ echo: message }));
    const answers: unknown[] = [];
    const link = dial(server.port, { onFrame: (message) => answers.push(message) });
    for (let n = 0; n < 100; n += 1) expect(link.send({ n })).toBe('queued');
    await seen('100 answers', () => answers, 100);
    expect(answers).toEqual(Array.from({ length: 100 }, (_, n) => ({ echo: { n } })));
  });

  it('sends what one turn of the event loop wrote in one piece', async () => {
    const chunks: Buffer[] = [];
    const sink = createServer((socket) => void socket.on('data', (chunk) => chunks.push(chunk)));
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
    open.push(sink);
    const { port } = sink.address() as { port: number };
    const ups: string[] = [];
    const link = dial(port, { onUp: () => ups.push('up') });
    await seen('connection', () => ups, 1);
    for (let n = 0; n < 20; n += 1) link.send(n);
    await seen('bytes', () => chunks, 1);
    link.close();
    expect(chunks).toHaveLength(1);
  });

  it('reports a refusal as unreachable, says what it cost, and connects once somebody listens', async () => {
    const server = await serve(() => undefined);
    const { port } = server;
    await server.close();
    const events: string[] = [];
    const link = dial(port, {
      reportUnreachable: () => events.push('unreachable'),
      onDown: (reason) => events.push(reason),
      onDropped: (count) => events.push(`dropped ${count}`),
      onUp: () => events.push('up'),
      retryMs: () => 20,
    });
    link.send('lost');
    await seen('refusal', () => events, 3);
    expect(events.slice(0, 3)).toEqual(['dropped 1', 'unreachable', 'refused']);
    expect(link.send('lost too')).toBe('dropped');
    await serve(() => undefined, port);
    await waitFor({ what: 'connection', withinMs: 5_000, look: () => link.up, until: (up) => up });
  });

  it('asks its caller how long to wait, with the failures so far', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const asked: number[] = [];
    dial(server.port, {
      retryMs: (failures) => {
        asked.push(failures);
        return 5;
      },
    });
    await seen('three failures', () => asked, 3);
    expect(asked.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('drops instead of growing when the other side does not read', async () => {
    const frozen = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve) => frozen.listen(0, '127.0.0.1', resolve));
    open.push(frozen);
    const { port } = frozen.address() as { port: number };
    const ups: string[] = [];
    const link = dial(port, { maxQueuedBytes: 100_000, onUp: () => ups.push('up') });
    await seen('connection', () => ups, 1);
    const message = 'x'.repeat(50_000);
    const result = await waitFor({
      what: 'dropped message',
      withinMs: 10_000,
      everyMs: 1,
      look: () => link.send(message),
      until: (sent) => sent === 'dropped',
    });
    expect(result).toBe('dropped');
    link.close();
  });

  it('cuts a stranger that does not speak in frames, and goes on', async () => {
    const messages: unknown[] = [];
    const server = await serve((message) => messages.push(message));
    const closed: string[] = [];
    const stranger = connect(server.port, '127.0.0.1', () => stranger.write('GET / HTTP/1.1\r\n\r\n'));
    stranger.on('error', () => undefined);
    stranger.on('close', () => closed.push('closed'));
    await seen('cut connection', () => closed, 1);
    dial(server.port).send('hello');
    await seen('message', () => messages, 1);
    expect(messages).toEqual(['hello']);
  });

  it('refuses to listen where somebody else does', async () => {
    const server = await serve(() => undefined);
    await expect(listen({ host: '127.0.0.1', port: server.port, onFrame: () => undefined })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
