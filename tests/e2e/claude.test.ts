import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

const home = mkdtempSync(join(tmpdir(), 'medic-claude-'));
let api: MessagesApi;
beforeAll(async () => {
  api = await serveMessagesApi(reasonableClaude);
});
afterAll(async () => {
  await api.close();
  rmSync(home, { recursive: true, force: true });
});

const medic = (...args: string[]) =>
  execa(process.execPath, [compiledFile('src/cli/main.ts'), ...args, '--home', home], {
    reject: false,
    stdin: 'ignore',
    env: { ANTHROPIC_API_KEY: 'sk-ant-test-key-of-nobody', ANTHROPIC_BASE_URL: api.origin },
  });

/** Two on a calm machine: look, propose. */
let turns = 0;

describe('the demo with a key', () => {
  it('lets the model at that address reason: a killed store is found, repaired once, proven, and paid for', async () => {
    const file = join(home, 'summary.json');
    const ran = await medic('demo', '--summary', file);
    if (ran.exitCode !== 0) throw new Error(`the demo ended with ${ran.exitCode}:\n${ran.stdout}\n${ran.stderr}`);
    expect(ran.stderr).toBe('');
    const summary = JSON.parse(readFileSync(file, 'utf8')) as DemoSummary;
    expect(summary).toMatchObject({
      phase: 'resolved',
      proof: 'healthy',
      causeGone: true,
      faultTruth: 'gone',
      acts: 1,
      reasoner: 'claude',
    });
    expect(summary.looks).toBeLessThanOrEqual(10);
    expect(ran.stdout).toContain('reasoner claude');
    turns = summary.turns;
    expect(turns).toBeGreaterThanOrEqual(2);
    expect(api.requests.length).toBe(turns);
    expect(api.requests[0]?.headers.authorization).toBe('Bearer sk-ant-test-key-of-nobody');
  }, 240_000);

  it('keeps the price, the prompt and the conversation of each turn, and the key nowhere', async () => {
    const archived = await createArchive({ home }).load(ticketId('tikv', 1));
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
    const same = await medic('prompts', 'diff', '1');
    expect(same).toMatchObject({ exitCode: 0, stdout: '' });
    expect(same.stderr).toBe(
      `${turns} turns, 0 differ; ${turns} by the same prompt (free), 0 thought again for 0.0000 $`,
    );
    const rules = await medic('prompts', 'diff', 'tikv/1', '--reasoner', 'rules', '--json');
    expect(rules.exitCode).toBe(3);
    const { value } = JSON.parse(rules.stdout) as { value: { turn: number; differs: boolean; usd: number }[] };
    expect(value.slice(0, 2)).toMatchObject([
      { turn: 1, differs: true, usd: 0 },
      { turn: 2, usd: 0 },
    ]);
    expect(api.requests).toHaveLength(asked);
  });
});
