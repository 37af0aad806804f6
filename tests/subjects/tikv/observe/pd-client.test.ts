import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createPdClient, type PdClient } from '../../../../subjects/tikv/observe/pd-client.js';
import { refusingServer, serveHttp, serveSilence, type TestServer } from '../../../support/http-server.js';

const REQUEST_MS = 1_500;
const open: TestServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serving(answer: Answer): Promise<TestServer> {
  const server = await serveHttp(answer);
  open.push(server);
  return server;
}

async function silent(): Promise<TestServer> {
  const server = await serveSilence();
  open.push(server);
  return server;
}

const says =
  (status: number, body: string): Answer =>
  (_, response) =>
    response.writeHead(status).end(body);

function client(...servers: readonly TestServer[]): PdClient {
  const endpoints = servers.map(({ origin }, index) => ({ name: `pd-${index}`, clientUrl: origin }));
  return createPdClient({ endpoints, requestMs: REQUEST_MS, changeMs: REQUEST_MS });
}

const GET = { method: 'GET', path: '/pd/api/v1/stores' } as const;

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  return { result: await work, ms: performance.now() - startedAt };
}

describe('a read of PD', () => {
  it('goes on to the next member when one refuses the connection', async () => {
    const pd = client(await refusingServer(), await serving(says(200, '{}')));
    expect(await pd.ask(GET)).toEqual({ kind: 'answered', node: 'pd-1', status: 200, body: '{}' });
  });

  it('goes on to the next member when one cannot forward to a leader', async () => {
    const pd = client(
      await serving(says(500, '[PD:apiutil:ErrRedirect]redirect failed\n')),
      await serving(says(503, '[PD:apiutil:ErrRedirectNoLeader]redirect finds no leader\n')),
      await serving(says(200, '[]')),
    );
    expect(await pd.ask(GET)).toMatchObject({ node: 'pd-2', body: '[]' });
  });

  it('takes a 404 as an answer: the leader knows that there is no such store', async () => {
    const pd = client(await serving(says(404, '"store 99 not found"')), await serving(says(200, 'wrong')));
    expect(await pd.ask(GET)).toMatchObject({ node: 'pd-0', status: 404 });
  });

  it('asks the next member beside one that takes the connection and says nothing', async () => {
    const pd = client(await silent(), await serving(says(200, '{}')));
    const { result, ms } = await timed(pd.ask(GET));
    expect(result).toMatchObject({ kind: 'answered', node: 'pd-1' });
    expect(ms).toBeLessThan(REQUEST_MS);
  });

  it('asks the next member beside one that stalls in the middle of its answer', async () => {
    const stalls = await serving((_, response) => response.writeHead(200).write('{"count":'));
    const pd = client(stalls, await serving(says(200, '{}')));
    expect(await pd.ask(GET)).toMatchObject({ kind: 'answered', node: 'pd-1' });
  });

  it('begins with the member that answered last', async () => {
    let asked = 0;
    const first = await serving((_, response) => {
      asked += 1;
      response.writeHead(500).end('redirect failed');
    });
    const pd = client(first, await serving(says(200, '{}')));
    await pd.ask(GET);
    await pd.ask(GET);
    await pd.ask(GET);
    expect(asked).toBe(1);
  });

  it('says what each member did when none could answer, within its one deadline', async () => {
    const pd = client(await refusingServer(), await serving(says(500, 'redirect failed\n')), await silent());
    const { result, ms } = await timed(pd.ask(GET));
    expect(result).toMatchObject({
      kind: 'unanswered',
      reason: expect.stringMatching(
        /^pd-0: connection refused; pd-1: 500 redirect failed; pd-2: connected, but no answer within \d+ ms$/,
      ),
    });
    expect(ms).toBeLessThan(REQUEST_MS + 250);
  });

  it('ends when the caller gives up', async () => {
    const pd = client(await silent());
    const giveUp = new AbortController();
    const asked = pd.ask({ ...GET, signal: giveUp.signal });
    giveUp.abort();
    const { result, ms } = await timed(asked);
    expect(result).toMatchObject({ kind: 'unanswered' });
    expect(ms).toBeLessThan(REQUEST_MS / 2);
  });
});

describe('a change through PD', () => {
  const POST = { method: 'POST', path: '/pd/api/v1/leader/resign' } as const;

  it('is tried elsewhere when a connection was refused', async () => {
    const pd = client(await refusingServer(), await serving(says(200, '"ok"')));
    expect(await pd.ask(POST)).toMatchObject({ kind: 'answered', node: 'pd-1' });
  });

  it('is never sent to a second member when the first may have taken it', async () => {
    let seen = 0;
    const second = await serving((_, response) => {
      seen += 1;
      response.end('"ok"');
    });
    expect(await client(await silent(), second).ask(POST)).toMatchObject({ kind: 'unanswered' });
    const refuses = await serving(says(500, 'redirect failed'));
    expect(await client(refuses, second).ask(POST)).toMatchObject({ kind: 'unanswered' });
    expect(seen).toBe(0);
  });
});
