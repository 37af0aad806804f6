import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import type { DemoSummary } from '../../src/cli/demo-summary.js';
import { ticketId } from '../../src/domain/ids.js';
import { createArchive } from '../../src/evidence/archive.js';
import { compiledFile } from '../../src/runtime/package-root.js';
import { type MessagesApi, serveMessagesApi } from '../support/messages-api.js';
import { reasonableClaude } from '../support/scripted-models.js';
import { until } from '../support/until.js';

/** The demos of one home, one after the other. */
const home = mkdtempSync(join(tmpdir(), 'medic-demo-'));
let api: MessagesApi;
beforeAll(async () => {
  api = await serveMessagesApi(reasonableClaude);
});
afterAll(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

const medic = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execa(process.execPath, [compiledFile('src/cli/main.ts'), ...args, '--home', home], {
    reject: false,
    stdin: 'ignore',
    buffer: { stdout: true, stderr: true },
    detached: true,
    env,
  });

/** With a key, and a Messages API to spend it at. */
const medicWithKey = (...args: string[]) =>
  medic(args, { ANTHROPIC_API_KEY: 'sk-ant-test-key-of-nobody', ANTHROPIC_BASE_URL: api.origin });

/** A demo that ends with 0 and has nothing to complain of, and its numbers. */
async function demo(run: typeof medicWithKey): Promise<{ stdout: string; summary: DemoSummary }> {
  const file = join(home, 'summary.json');
  const ran = await run('demo', '--summary', file);
  if (ran.exitCode !== 0) throw new Error(`the demo ended with ${ran.exitCode}:\n${ran.stdout}\n${ran.stderr}`);
  expect(ran.stderr).toBe('');
  return { stdout: ran.stdout, summary: JSON.parse(readFileSync(file, 'utf8')) as DemoSummary };
}

/** Every process of this machine that names the home on its command line. */
function processesOfHome(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(home) ? [`${pid} ${line}`] : [];
      } catch {
        return [];
      }
    });
}

describe('the demo', () => {
  it('finds, repairs and proves a killed store, writes its numbers, and leaves nothing running', async () => {
    const { summary } = await demo((...args) => medic(args));
    expect(summary).toMatchObject({
      fault: 'node_kill',
      ticket: 'tikv/1',
      phase: 'resolved',
      proof: 'healthy',
      causeGone: true,
      faultTruth: 'gone',
      acts: 1,
      reasoner: 'rules',
      profile: 'fast',
    });
    expect(summary.detectMs).toBeGreaterThan(0);
    expect(summary.repairMs).toBeGreaterThan(summary.detectMs ?? Number.POSITIVE_INFINITY);
    expect(summary.provenMs).toBeGreaterThan(summary.repairMs ?? Number.POSITIVE_INFINITY);
    expect(readFileSync(join(home, 'tickets', 'tikv-1.md'), 'utf8')).toContain('process-dead');
    expect(processesOfHome()).toEqual([]);
  }, 240_000);

  it('killed with -9 leaves no process after five seconds', async () => {
    const running = medic(['demo']);
    await until('all of it to run', () => (processesOfHome().length > 8 ? true : undefined), {
      deadlineMs: 60_000,
      seen: processesOfHome,
    });
    running.kill('SIGKILL');
    await running;
    await until('all processes of the demo to be gone', () => (processesOfHome().length === 0 ? true : undefined), {
      deadlineMs: 5_000,
      seen: processesOfHome,
    });
  }, 240_000);
});

/** Two on a calm machine: look, propose. */
let turns = 0;

describe('the next demo, with a key', () => {
  it('begins afresh with the next number and lets the model at that address reason: a killed store is found, repaired once, proven, and paid for', async () => {
    const { summary, stdout } = await demo(medicWithKey);
    expect(summary).toMatchObject({
      ticket: 'tikv/2',
      phase: 'resolved',
      proof: 'healthy',
      causeGone: true,
      faultTruth: 'gone',
      acts: 1,
      reasoner: 'claude',
    });
    expect(summary.looks).toBeLessThanOrEqual(10);
    expect(stdout).toContain('reasoner claude');
    turns = summary.turns;
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(api.requests.length).toBe(turns);
    expect(api.requests[0]?.headers.authorization).toBe('Bearer sk-ant-test-key-of-nobody');
  }, 240_000);

  it('keeps the price, the prompt and the conversation of each turn, and the key nowhere', async () => {
    const archived = await createArchive({ home }).load(ticketId('tikv', 2));
    const thoughts = archived?.trail.flatMap((event) => (event.type === 'thought' ? [event] : [])) ?? [];
    expect(thoughts).toHaveLength(turns);
    for (const thought of thoughts)
      expect(thought).toMatchObject({
        reasoner: 'claude',
        model: 'claude-sonnet-5-5',
        prompt: expect.stringMatching(/^system@\d+ on-call-triage@\d+$/),
        usd: 0.0007,
      });
    expect(archived?.ticket).toMatchObject({
      transcript: expect.stringMatching(/^[0-9a-f]{64}$/),
      spent: { tokens: 150 * turns, usd: expect.closeTo(0.0007 * turns, 9) },
    });
    expect(JSON.stringify(archived)).not.toContain('test-key-of-nobody');
  });

  it('thinks the same turns again: free by the same prompt, and the rules would have looked elsewhere first', async () => {
    const asked = api.requests.length;
    const same = await medicWithKey('prompts', 'diff', '2');
    expect(same).toMatchObject({ exitCode: 0, stdout: '' });
    expect(same.stderr).toBe(
      `${turns} turns, 0 differ; ${turns} by the same prompt (free), 0 thought again for 0.0000 $`,
    );
    const rules = await medicWithKey('prompts', 'diff', 'tikv/2', '--reasoner', 'rules', '--json');
    expect(rules.exitCode).toBe(3);
    const { value } = JSON.parse(rules.stdout) as { value: { turn: number; differs: boolean; usd: number }[] };
    expect(value.slice(0, 2)).toMatchObject([
      { turn: 1, differs: true, usd: 0 },
      { turn: 2, usd: 0 },
    ]);
    expect(api.requests).toHaveLength(asked);
  });
});
