import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { askHttp, type HttpAccess } from '../../../../subjects/tikv/observe/http.js';
import { createHttpDoor } from '../../../../subjects/tikv/observe/http-door.js';
import { createPdClient } from '../../../../subjects/tikv/observe/pd-client.js';
import { lookAtPorts } from '../../../../subjects/tikv/observe/store-looks.js';

const pem = (name: string) => readFileSync(`tests/fixtures/tls/${name}`, 'utf8');
const CA = pem('ca.pem');
const CALLER = { cert: pem('client.pem'), key: pem('client.key') };

let port = 0;
const seen: { path: string; peer: string; authorization: string | undefined }[] = [];
const server = createServer(
  { cert: pem('server.pem'), key: pem('server.key'), ca: CA, requestCert: true, rejectUnauthorized: true },
  (request, response) => {
    const { subject } = (request.socket as import('node:tls').TLSSocket).getPeerCertificate();
    seen.push({
      path: request.url ?? '',
      peer: String(subject.CN),
      authorization: request.headers.authorization,
    });
    response.end('{"ok":true}');
  },
);
beforeAll(() => new Promise<void>((up) => server.listen(0, '127.0.0.1', up)));
beforeAll(() => {
  port = (server.address() as AddressInfo).port;
});
afterAll(
  () =>
    new Promise<void>((down) => {
      server.close(() => down());
      server.closeAllConnections();
    }),
);

const ask = (access: HttpAccess | undefined, host = '127.0.0.1') =>
  askHttp({ origin: `https://${host}:${port}`, method: 'GET', path: '/health', deadlineMs: 3_000, access });

describe('a PD that speaks TLS and asks who calls', () => {
  it('answers a caller with a certificate of its CA, and gets the token', async () => {
    expect(await ask({ tls: { ca: CA, ...CALLER }, token: 's3' })).toMatchObject({ kind: 'answered', status: 200 });
    expect(seen.at(-1)).toEqual({ path: '/health', peer: 'Medic test client', authorization: 'Bearer s3' });
  });

  it('is known by another name than its address when the configuration says which', async () => {
    const tls = { ca: CA, ...CALLER };
    expect(await ask({ tls }, 'localhost')).toMatchObject({
      kind: 'broken',
      why: expect.stringContaining("Hostname/IP does not match certificate's altnames"),
    });
    expect(await ask({ tls: { ...tls, servername: 'pd.medic.test' } }, 'localhost')).toMatchObject({
      kind: 'answered',
    });
  });

  it.each([
    ['no CA', { tls: CALLER }, /self-signed certificate in certificate chain|unable to/],
    [
      'another CA',
      { tls: { ca: pem('other-ca.pem'), ...CALLER } },
      /self-signed certificate in certificate chain|unable to/,
    ],
    ['no certificate of ours', { tls: { ca: CA } }, /certificate required|alert|ECONNRESET|other side closed/i],
  ])('is not talked to with %s, and the reason is said', async (_, access, why) => {
    const before = seen.length;
    expect(await ask(access)).toMatchObject({ kind: 'broken', why: expect.stringMatching(why) });
    expect(seen).toHaveLength(before);
  });

  it('is reached so by the client of PD, and the stores without the token that is meant for PD', async () => {
    const access = () => ({ tls: { ca: CA, ...CALLER }, token: 's3' });
    const pd = createPdClient({
      endpoints: [{ name: 'pd-0', clientUrl: `https://127.0.0.1:${port}` }],
      requestMs: 3_000,
      access,
    });
    expect(await pd.ask({ method: 'GET', path: '/pd/api/v1/members' })).toMatchObject({ kind: 'answered' });
    expect(seen.at(-1)).toMatchObject({ path: '/pd/api/v1/members', authorization: 'Bearer s3' });

    const inventory = {
      subject: 'tikv',
      host: 'lab',
      pd: [],
      stores: [{ name: 'kv', address: `127.0.0.1:${port}`, statusAddress: `127.0.0.1:${port}` }],
    } as const;
    const ports = await lookAtPorts({ inventory, requestMs: 3_000, clock: Date.now, access });
    expect(ports.get('kv')?.reach).toMatchObject({ known: true, value: { kind: 'answers', status: 200 } });
    const http = createHttpDoor({ inventory, pd, requestMs: 3_000, access });
    const call = { kind: 'http', api: 'tikv-status', node: 'kv', method: 'GET', path: '/config' } as const;
    expect(await http(call)).toMatchObject({ status: 200, node: 'kv' });
    expect(seen.slice(-2).map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
  });
});
