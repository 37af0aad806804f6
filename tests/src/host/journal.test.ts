import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createJournal, type Journal, type JournalEntry, type JournalKey } from '../../../src/host/journal.js';
import { wrapperScript } from '../../../src/host/journal-scripts.js';
import { createLocalHost } from '../../../src/host/local.js';
import { until } from '../../support/until.js';

const PATH = '/usr/local/bin:/usr/bin:/bin';
let dir: string;
let journal: Journal;
let next = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'medic-journal-'));
  journal = createJournal({ host: createLocalHost({ name: 'here', path: PATH }), dir });
});

afterAll(() => rm(dir, { recursive: true, force: true }));

const newKey = (): JournalKey => {
  next += 1;
  return { run: 'run1', proposal: 'p1', step: next, try: 1 };
};

const entryFolder = (key: JournalKey): string => join(dir, `run1.p1.${key.step}.1`);
const limits = { timeoutMs: 10_000 };

describe('the host journal', () => {
  it('runs a command once, and answers from its record the second time', async () => {
    const key = newKey();
    const file = join(dir, 'count');
    const once = { key, command: `echo ran >> ${file}; echo hello; exit 4`, limits };
    const first = await journal.runOnce(once);
    expect(first).toMatchObject({ kind: 'ran', outcome: { exitCode: 4, head: 'hello\n', bytes: 6, leftover: false } });
    const second = await journal.runOnce(once);
    expect(second).toMatchObject({
      kind: 'already',
      entry: { state: 'finished', outcome: { exitCode: 4, head: 'hello\n' } },
    });
    expect(await readFile(file, 'utf8')).toBe('ran\n');
  });

  it('runs once when several ask at the same moment', async () => {
    const key = newKey();
    const file = join(dir, 'parallel');
    const once = { key, command: `echo ran >> ${file}; sleep 0.3`, limits };
    const answers = await Promise.all(Array.from({ length: 6 }, () => journal.runOnce(once)));
    expect(answers.map(({ kind }) => kind).sort()).toEqual([
      'already',
      'already',
      'already',
      'already',
      'already',
      'ran',
    ]);
    expect(await readFile(file, 'utf8')).toBe('ran\n');
  });

  it('records the exact bytes of the command, quotes and newlines included', async () => {
    const key = newKey();
    const command = `printf '%s|' "it's" 'a "b"' \\$x\necho 'two lines'`;
    expect(await journal.runOnce({ key, command, limits })).toMatchObject({
      kind: 'ran',
      outcome: { head: `it's|a "b"|$x|two lines\n` },
    });
    expect(await readFile(join(entryFolder(key), 'command'), 'utf8')).toBe(command);
  });

  it('knows nothing of a key that was never used', async () => {
    expect(await journal.read(newKey())).toEqual({ state: 'none' });
  });

  it('says none when its wrapper was killed before it claimed the key, and the key can still be used', async () => {
    const key = newKey();
    // A wrapper up to just before its claim leaves the folder and its own files.
    const script = wrapperScript({
      entry: entryFolder(key),
      command: 'true',
      timeoutMs: 1_000,
      killAfterMs: 100,
      outBytes: 1_024,
    });
    const untilClaim = `${script.slice(0, script.indexOf('if ! ln '))}kill -KILL $$`;
    await new Promise((resolve) => spawn('bash', ['-c', untilClaim]).once('exit', resolve));
    expect(await journal.read(key)).toEqual({ state: 'none' });
    expect(await journal.runOnce({ key, command: 'exit 5', limits })).toMatchObject({
      kind: 'ran',
      outcome: { exitCode: 5 },
    });
  });

  it('lets a command finish and be recorded although its runner was killed with -9', async () => {
    const key = newKey();
    const runner = await startRunner({ key, command: 'sleep 0.6; echo done; exit 7' });
    await untilEntry(key, ({ state }) => state === 'started');
    process.kill(runner, 'SIGKILL');
    expect(await journal.read(key)).toMatchObject({ state: 'started', running: true });
    expect(await journal.runOnce({ key, command: 'echo again', limits })).toMatchObject({ kind: 'already' });
    await untilEntry(key, ({ state }) => state === 'finished');
    expect(await journal.read(key)).toMatchObject({ state: 'finished', outcome: { exitCode: 7, head: 'done\n' } });
  });

  it('records the whole exit code when it arrives in pieces, as it may on a busy host', async () => {
    const key = newKey();
    const script = wrapperScript({
      entry: entryFolder(key),
      command: 'exit 42',
      timeoutMs: 5_000,
      killAfterMs: 100,
      outBytes: 1_024,
    });
    const whole = String.raw`printf '%s\n' $?)`;
    expect(script.split(whole)).toHaveLength(2);
    const inPieces = String.raw`code=$?; printf '%s' "${'$'}{code%?}"; sleep 0.2; printf '%s' "${'$'}{code#?}"; sleep 0.2; printf '\n')`;
    const run = spawn('bash', ['-c', script.replace(whole, () => inPieces)]);
    await new Promise((resolve) => run.once('exit', resolve));
    expect(await journal.read(key)).toMatchObject({ state: 'finished', outcome: { exitCode: 42 } });
  });

  it('keeps the deadline of a command although its runner was killed with -9', async () => {
    const key = newKey();
    const runner = await startRunner({ key, command: 'sleep 60', timeoutMs: 700 });
    await untilEntry(key, ({ state }) => state === 'started');
    process.kill(runner, 'SIGKILL');
    await untilEntry(key, ({ state }) => state === 'finished');
    expect(await journal.read(key)).toMatchObject({ outcome: { timedOut: true, exitCode: null, signal: 'SIGTERM' } });
  });

  it('says started and not running when the wrapper and its command were both killed', async () => {
    const key = newKey();
    const answer = journal.runOnce({ key, command: 'sleep 60', limits });
    await untilEntry(key, ({ state }) => state === 'started');
    const group = await until(
      'the group is recorded',
      async () => (await readFile(join(entryFolder(key), 'group'), 'utf8').catch(() => '')).trim() || undefined,
    );
    const wrapper = /pid=(\d+)/.exec(await readFile(join(entryFolder(key), 'started'), 'utf8'))?.[1];
    process.kill(-Number(wrapper), 'SIGKILL');
    expect(await journal.read(key)).toMatchObject({ state: 'started', running: true });
    process.kill(-Number(group), 'SIGKILL');
    expect(await answer).toMatchObject({ kind: 'unknown' });
    await untilEntry(key, (entry) => entry.state === 'started' && !entry.running);
  });

  it('ends a command and its grandchildren at the deadline, and records it', async () => {
    const answer = await journal.runOnce({
      key: newKey(),
      command: "trap '' TERM; sleep 60 & sleep 60",
      limits: { timeoutMs: 200, killAfterMs: 300 },
    });
    expect(answer).toMatchObject({ kind: 'ran', outcome: { timedOut: true, signal: 'SIGKILL', canceled: false } });
  });

  it('ends a command soon after it is canceled, and records it', async () => {
    const key = newKey();
    const abort = new AbortController();
    const answer = journal.runOnce({ key, command: 'echo begun; sleep 60', limits }, abort.signal);
    await untilEntry(key, (entry) => entry.state === 'started' && entry.output.head === 'begun\n');
    const began = performance.now();
    abort.abort();
    expect(await answer).toMatchObject({
      kind: 'ran',
      outcome: { canceled: true, signal: 'SIGTERM', head: 'begun\n' },
    });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('ends what the command left behind, with its late output kept', async () => {
    const answer = await journal.runOnce({
      key: newKey(),
      command: '(sleep 0.05; echo late; sleep 60) & exit 0',
      limits,
    });
    expect(answer).toMatchObject({
      kind: 'ran',
      outcome: { exitCode: 0, leftover: true, escaped: false, head: 'late\n' },
    });
  });

  it('does not wait for a process that left its group', async () => {
    const answer = await journal.runOnce({ key: newKey(), command: 'setsid sleep 8 & echo pid=$!', limits });
    expect(answer).toMatchObject({ kind: 'ran', outcome: { exitCode: 0, escaped: true } });
    process.kill(Number(/pid=(\d+)/.exec(answer.kind === 'ran' ? answer.outcome.head : '')?.[1]), 'SIGKILL');
  });

  it('drains what exceeds its cap instead of ending the command', async () => {
    const key = newKey();
    const answer = await journal.runOnce({
      key,
      command: 'head -c 5000000 /dev/zero | tr "\\0" x; exit 6',
      limits: { timeoutMs: 10_000, outBytes: 65_536, headBytes: 3, tailBytes: 2 },
    });
    expect(answer).toMatchObject({ kind: 'ran', outcome: { exitCode: 6, head: 'xxx', tail: 'xx' } });
    expect((await readFile(join(entryFolder(key), 'out'))).length).toBe(65_536);
  });

  it('runs nothing when the journal cannot be written', async () => {
    await writeFile(join(dir, 'file'), '');
    const blocked = createJournal({ host: createLocalHost({ name: 'here', path: PATH }), dir: join(dir, 'file') });
    const marker = join(dir, 'marker');
    const answer = await blocked.runOnce({ key: newKey(), command: `touch ${marker}`, limits });
    expect(answer).toEqual({ kind: 'not-run', reason: 'the journal was not written (exit 73)' });
    await expect(readFile(marker)).rejects.toThrow('ENOENT');
  });

  it('refuses a key that is no plain folder name', async () => {
    const key = { ...newKey(), run: '../run' };
    await expect(journal.runOnce({ key, command: 'true', limits })).rejects.toThrow('cannot be part of a journal key');
  });
});

async function untilEntry(key: JournalKey, wanted: (entry: JournalEntry) => boolean): Promise<void> {
  await until('the journal entry is as wanted', async () => {
    const entry = await journal.read(key);
    return wanted(entry) ? entry : undefined;
  });
}

/** A process of its own that runs a wrapper as the local host does, so that it can be killed with -9. */
async function startRunner({
  key,
  command,
  timeoutMs = 10_000,
}: {
  key: JournalKey;
  command: string;
  timeoutMs?: number;
}) {
  const script = wrapperScript({ entry: entryFolder(key), command, timeoutMs, killAfterMs: 300, outBytes: 65_536 });
  const source = `
    const { spawn } = require('node:child_process');
    spawn('bash', ['--noprofile', '--norc', '-c', process.argv[1]], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  `;
  const runner = spawn(process.execPath, ['-e', source, script], { stdio: 'ignore' });
  if (runner.pid === undefined) throw new Error('the runner did not start');
  return runner.pid;
}
