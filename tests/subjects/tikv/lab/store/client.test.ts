import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LinkServer, listen } from '../../../../../subjects/tikv/lab/peer-link.js';
import { createStoreClient, type StoreClient } from '../../../../../subjects/tikv/lab/store/client.js';
import type {
  ClientReply,
  ClientRequest,
  RegionError,
} from '../../../../../subjects/tikv/lab/store/client-protocol.js';
import { startLoad } from '../../../../../subjects/tikv/lab/store/load.js';
import { until } from '../../../../support/until.js';
import { freePorts } from './store-processes.js';

/** A PD that lists two stores and one region which it thinks is led by store 1; each store answers as told. */
let pd: Server;
let pdUrl: string;
let servers: LinkServer[];
let addresses: [string, string];
/** Waits as long as a busy machine takes. */
let client: StoreClient;
/** Soon takes silence for an answer. */
let hasty: StoreClient;
const asked: string[] = [];
const answers: Record<string, (request: ClientRequest) => ClientReply | null> = {};

const value = (text: string | null) => (request: ClientRequest) =>
  ({ kind: 'value', id: request.id, value: text }) as const;
const refuse = (error: RegionError) => (request: ClientRequest) => ({ kind: 'error', id: request.id, error }) as const;

beforeEach(async () => {
  asked.length = 0;
  for (const name of ['one', 'two']) answers[name] = () => null;
  servers = await Promise.all(['one', 'two'].map(startStore));
  addresses = servers.map(({ port }) => `127.0.0.1:${port}`) as [string, string];
  pd = createServer((request, response) =>
    response.end(JSON.stringify(request.url?.endsWith('stores') ? stores() : regions())),
  );
  await new Promise<void>((resolve) => pd.listen(0, '127.0.0.1', resolve));
  pdUrl = `http://127.0.0.1:${(pd.address() as AddressInfo).port}`;
  client = createStoreClient({ pd: [pdUrl], attemptMs: 10_000, giveUpMs: 30_000 });
  hasty = createStoreClient({ pd: [pdUrl], attemptMs: 300, giveUpMs: 2_000 });
});

afterEach(async () => {
  client.close();
  hasty.close();
  await Promise.all(servers.map((server) => server.close()));
  pd.closeAllConnections();
  await new Promise((resolve) => pd.close(resolve));
});

function startStore(name: string): Promise<LinkServer> {
  return listen({
    host: '127.0.0.1',
    port: 0,
    onFrame: (message, connection) => {
      asked.push(name);
      const reply = answers[name]?.(message as ClientRequest);
      if (reply) connection.send(reply);
    },
  });
}

const stores = () => ({ stores: addresses.map((address, index) => ({ store: { id: index + 1, address } })) });
const regions = () => ({
  regions: [{ id: 10, start_key: '', end_key: '', leader: { store_id: 1 }, peers: [{ store_id: 1 }, { store_id: 2 }] }],
});

describe('a client of the stores', () => {
  it('asks the leader that PD names, and remembers who answered', async () => {
    answers.one = value('1');
    expect(await client.get('a')).toEqual({ ok: true, value: '1', address: addresses[0], failures: [] });
    expect(await client.get('b')).toMatchObject({ ok: true });
    expect(asked).toEqual(['one', 'one']);
  });

  it('follows the hint of a follower, and goes to the new leader from then on', async () => {
    answers.one = refuse({ kind: 'NotLeader', hint: { storeId: 2, address: addresses[1] } });
    answers.two = value('2');
    expect(await client.get('a')).toEqual({
      ok: true,
      value: '2',
      address: addresses[1],
      failures: [{ kind: 'NotLeader', address: addresses[0] }],
    });
    expect(await client.get('a')).toMatchObject({ ok: true, failures: [] });
    expect(asked).toEqual(['one', 'two', 'two']);
  });

  it('finds another peer when the leader is gone', async () => {
    answers.two = value('2');
    await servers[0]!.close();
    const result = await client.get('a');
    expect(result).toMatchObject({ ok: true, value: '2' });
    expect(result.failures[0]).toEqual({ kind: 'refused', address: addresses[0] });
  });

  it('gives up after its time with every failed attempt, and does not throw', async () => {
    answers.one = refuse({ kind: 'ServerIsBusy', reason: 'no lease' });
    const startedAt = performance.now();
    const result = await hasty.put('a', '1');
    expect(result).toMatchObject({ ok: false, reason: 'gave-up' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_990);
    const kinds = result.failures.map(({ kind }) => kind);
    expect(kinds.length).toBeGreaterThan(3);
    expect(new Set(kinds.slice(0, -1))).toEqual(new Set(['ServerIsBusy']));
    // The last attempt gets only the time that is left, so it may not hear the answer.
    expect(['ServerIsBusy', 'timeout']).toContain(kinds.at(-1));
  });

  it('calls silence a timeout', async () => {
    answers.one = () => null;
    answers.two = value('2');
    const result = await hasty.get('a');
    expect(result.failures).toContainEqual({ kind: 'timeout', address: addresses[0] });
  });

  it('says no-region when PD does not answer', async () => {
    const [port] = await freePorts(1);
    const blind = createStoreClient({ pd: [`http://127.0.0.1:${port}`], attemptMs: 100, giveUpMs: 300 });
    const result = await blind.get('a');
    expect(result).toMatchObject({ ok: false });
    expect(result.failures[0]).toEqual({ kind: 'no-region', address: null });
    blind.close();
  });
});

describe('the load generator', () => {
  it('starts its requests on time whatever becomes of the earlier ones, and counts each once', async () => {
    answers.one = (request) => (request.kind === 'put' ? { kind: 'done', id: request.id } : null);
    answers.two = answers.one;
    const load = startLoad({ client: hasty, opsPerSecond: 50, regions: 10 });
    await until('forty requests', () => load.counters().started >= 40 || undefined, { deadlineMs: 10_000 });
    const after = await load.stop();
    const failed = Object.values(after.failed).reduce((sum, count) => sum + count, 0);
    expect(after.ok + failed).toBe(after.started);
    expect(after.ok).toBeGreaterThanOrEqual(20);
    expect(after.failed.timeout).toBeGreaterThan(0);
    expect(after.failedAttempts.timeout).toBeGreaterThan(after.failed.timeout!);
    expect(after.p50Ms).toBeGreaterThan(0);
    expect(after.p99Ms).toBeGreaterThanOrEqual(after.p50Ms!);
  });
});
