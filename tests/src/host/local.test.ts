import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createLocalHost } from '../../../src/host/local.js';
import { until } from '../../support/until.js';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const host = createLocalHost({ name: 'here', path: PATH });

/** Gone, or dead and only waiting for init to collect it. */
const untilGone = (pid: number) =>
  until(`process ${pid} is gone`, async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') gone');
    return /\) (gone|Z|X)/.test(stat) || undefined;
  });

const pidIn = (text: string): number => Number(/pid=(\d+)/.exec(text)?.[1]);

describe('the local host', () => {
  it('gives exit code and both streams of a command', async () => {
    const outcome = await host.run({ command: 'echo out; echo err >&2; exit 3', timeoutMs: 5_000 });
    expect(outcome).toMatchObject({ exitCode: 3, signal: null, timedOut: false, leftover: false, escaped: false });
    expect(outcome.head.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(outcome.bytes).toBe(8);
  });

  it('passes on a small fixed environment, an empty standard input and no relative folder of ours', async () => {
    const { head } = await host.run({ command: 'env | sort; pwd; read -r x || echo "no input"', timeoutMs: 5_000 });
    const names = head.split('\n').map((line) => line.replace(/=.*/, ''));
    expect(names).toEqual(['LANG', 'PATH', 'PWD', 'SHLVL', '_', '/', 'no input', '']);
  });

  it('runs bash, not sh: `&>` writes a file instead of running in the background', async () => {
    const { head } = await host.run({ command: 'f=$(mktemp); echo A &> "$f"; cat "$f"; rm "$f"', timeoutMs: 5_000 });
    expect(head).toBe('A\n');
  });

  it('ends the whole group at its deadline, also grandchildren that hold the output open', async () => {
    const outcome = await host.run({ command: 'sleep 60 & echo pid=$!; sleep 60', timeoutMs: 200 });
    expect(outcome).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGTERM', escaped: false });
    expect(outcome.durationMs).toBeLessThan(2_000);
    await untilGone(pidIn(outcome.head));
  });

  it('kills what ignores TERM, after its grace', async () => {
    const command = "trap '' TERM; sleep 60 & echo pid=$!; while :; do sleep 0.1; done";
    const outcome = await host.run({ command, timeoutMs: 200, killAfterMs: 300 });
    expect(outcome).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(490);
    expect(outcome.durationMs).toBeLessThan(3_000);
    await untilGone(pidIn(outcome.head));
  });

  it('ends what the command left behind, keeps its late output and says so', async () => {
    const command = '(sleep 0.08; echo late; sleep 60) & echo pid=$!; exit 0';
    const outcome = await host.run({ command, timeoutMs: 20_000 });
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false, leftover: true });
    expect(outcome.head).toContain('late');
    expect(outcome.durationMs).toBeLessThan(3_000);
    await untilGone(pidIn(outcome.head));
  });

  it('does not wait for a process that left the group and holds the output open', async () => {
    const outcome = await host.run({ command: 'setsid sleep 8 & echo pid=$!', timeoutMs: 20_000 });
    expect(outcome).toMatchObject({ exitCode: 0, escaped: true });
    expect(outcome.durationMs).toBeLessThan(3_000);
    process.kill(pidIn(outcome.head), 'SIGKILL');
  });

  it('keeps head and tail of an output of any length, and counts all of it', async () => {
    const sunk: number[] = [];
    const outcome = await host.run({
      command: 'echo first; head -c 30000000 /dev/zero | tr "\\0" x; echo; echo last',
      timeoutMs: 20_000,
      headBytes: 6,
      tailBytes: 5,
      sinkBytes: 1_000,
      sink: (chunk) => sunk.push(chunk.length),
    });
    expect(outcome).toMatchObject({ exitCode: 0, head: 'first\n', tail: 'last\n', bytes: 30_000_012 });
    expect(sunk.reduce((a, b) => a + b, 0)).toBe(1_000);
  });

  it('ends a command within moments of its cancellation', async () => {
    const abort = new AbortController();
    const seen: string[] = [];
    const sink = (chunk: Uint8Array) => {
      seen.push(String(chunk));
      abort.abort();
    };
    const began = performance.now();
    const outcome = await host.run({ command: 'echo started; sleep 60', timeoutMs: 20_000, sink }, abort.signal);
    expect(outcome).toMatchObject({ canceled: true, timedOut: false, signal: 'SIGTERM' });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it('runs nothing once it is canceled', async () => {
    const outcome = await host.run({ command: 'echo x', timeoutMs: 1_000 }, AbortSignal.abort());
    expect(outcome).toMatchObject({ canceled: true, failure: 'canceled before it started', bytes: 0 });
  });

  it('tells a missing bash as data', async () => {
    const nowhere = createLocalHost({ name: 'here', path: '/nonexistent' });
    const outcome = await nowhere.run({ command: 'true', timeoutMs: 1_000 });
    expect(outcome.exitCode).toBeNull();
    expect(outcome.failure).toContain('ENOENT');
  });
});
