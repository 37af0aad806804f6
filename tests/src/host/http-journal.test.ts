import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HttpCall } from '../../../src/domain/query.js';
import { createHttpJournal, type HttpJournal, type HttpReply } from '../../../src/host/http-journal.js';
import { compiledFile } from '../../../src/runtime/package-root.js';
import { until } from '../../support/until.js';

const CALL: HttpCall = { kind: 'http', api: 'pd', method: 'POST', path: '/pd/api/v1/store/4/state?state=Up' };
const KEY = { run: 'run1', proposal: 'p1', step: 1, try: 1 };
const never = new AbortController().signal;

let dir: string;
let journal: HttpJournal;
let sent = 0;
const OK: HttpReply = { status: 200, body: 'done' };
const once = (reply: HttpReply | (() => Promise<HttpReply>) = OK) => ({
  key: KEY,
  call: CALL,
  timeoutMs: 5_000,
  send: async () => {
    sent += 1;
    return typeof reply === 'function' ? reply() : reply;
  },
});

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'medic-http-journal-'));
  journal = createHttpJournal({ dir, now: Date.now });
  sent = 0;
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('the journal of HTTP calls', () => {
  it('sends a call once, and answers from its record the second time', async () => {
    expect(await journal.sendOnce(once(), never)).toEqual({ kind: 'ran', reply: OK });
    expect(await journal.sendOnce(once(), never)).toMatchObject({
      kind: 'already',
      entry: { state: 'finished', reply: OK },
    });
    expect(sent).toBe(1);
    expect(await readdir(join(dir, 'run1.p1.1.1'))).toEqual(['exit', 'started']);
    expect(JSON.parse(await readFile(join(dir, 'run1.p1.1.1', 'started'), 'utf8'))).toMatchObject({ call: CALL });
  });

  it('sends once when several ask at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => journal.sendOnce(once(), never)));
    expect(answers.filter(({ kind }) => kind === 'ran')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'already')).toHaveLength(7);
    expect(sent).toBe(1);
  });

  it('has taken the key on disk before anything is sent', async () => {
    let seen: unknown;
    const look = async () => {
      seen = await journal.read(KEY);
      return OK;
    };
    await journal.sendOnce(once(look), never);
    expect(seen).toMatchObject({ state: 'started' });
  });

  it('keeps the begin of a long answer', async () => {
    const answer = await journal.sendOnce(once({ status: 200, body: 'x'.repeat(1_000_000) }), never);
    expect(answer.kind === 'ran' && answer.reply.body.length).toBe(16_384);
  });

  it('takes a sender that throws for one without an answer', async () => {
    const broken = () => Promise.reject(new Error('socket hang up'));
    expect(await journal.sendOnce(once(broken), never)).toEqual({
      kind: 'ran',
      reply: { status: null, body: '', failure: 'Error: socket hang up' },
    });
  });

  it('sends nothing when it was aborted before, and the key can still be used', async () => {
    expect(await journal.sendOnce(once(), AbortSignal.abort())).toEqual({
      kind: 'not-run',
      reason: 'canceled before it was sent',
    });
    expect(await journal.read(KEY)).toEqual({ state: 'none' });
    expect(await journal.sendOnce(once(), never)).toMatchObject({ kind: 'ran' });
  });

  it('sends nothing when the journal cannot be written', async () => {
    await writeFile(join(dir, 'file'), '');
    const blocked = createHttpJournal({ dir: join(dir, 'file'), now: Date.now });
    expect(await blocked.sendOnce(once(), never)).toEqual({
      kind: 'not-run',
      reason: 'the journal was not written (ENOTDIR)',
    });
    expect(sent).toBe(0);
  });

  it('never sends again what was sent by a process that was killed with -9 before the answer', async () => {
    let arrived = 0;
    const server = createServer(() => {
      arrived += 1;
    });
    const url = await listening(server);
    const sender = spawn(process.execPath, ['--input-type=module', '-e', SENDER, dir, url], { stdio: 'ignore' });
    try {
      await until('the call to arrive', () => (arrived > 0 ? true : undefined), { deadlineMs: 10_000 });
      sender.kill('SIGKILL');
      await new Promise((resolve) => sender.once('exit', resolve));
      expect(await journal.read(KEY)).toMatchObject({ state: 'started' });
      expect(await journal.sendOnce(once(), never)).toMatchObject({ kind: 'already', entry: { state: 'started' } });
      expect([arrived, sent]).toEqual([1, 0]);
    } finally {
      sender.kill('SIGKILL');
      server.closeAllConnections();
      server.close();
    }
  });
});

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)),
  );

/** Sends one call through the compiled journal. */
const SENDER = `
  import { createHttpJournal } from ${JSON.stringify(compiledFile('src/host/http-journal.ts'))};
  const [dir, url] = process.argv.slice(1);
  const send = async () => ({ status: (await fetch(url, { method: 'POST' })).status, body: '' });
  await createHttpJournal({ dir, now: Date.now }).sendOnce(
    { key: ${JSON.stringify(KEY)}, call: ${JSON.stringify(CALL)}, timeoutMs: 60000, send },
    new AbortController().signal,
  );
`;
