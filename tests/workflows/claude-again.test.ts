import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Room } from '../../activities/room.js';
import { createThink } from '../../activities/think.js';
import { createFileStore } from '../../src/evidence/file-store.js';
import { readLedger } from '../../src/runtime/budget-client.js';
import { contentFiles } from '../../src/runtime/content.js';
import { fetchHistoryText } from '../../src/runtime/history.js';
import { createInstanceBudget } from '../../src/runtime/instance-budget.js';
import { openInstance } from '../../src/runtime/process/instance.js';
import { createLiveClaude } from '../../src/runtime/worker/claude.js';
import { tikvRules } from '../../src/runtime/worker/reasoner.js';
import { TIKV } from '../../subjects/tikv/subject.js';
import { BUDGET_ID, MESSAGES } from '../../workflows/contract.js';
import { verbs } from '../src/cli/verbs.js';
import { temporaryFolder } from '../src/runtime/process/temporary.js';
import {
  type AskedOfModel,
  calls,
  type MessagesApi,
  type Said,
  says,
  serveMessagesApi,
} from '../support/messages-api.js';
import { withTemporal } from '../support/temporal.js';
import { archiving } from './archiving.js';
import { type AllActivities, activityDoubles, noCounts, ticketInput } from './ticket-double.js';
import { inPhase, startTicket } from './ticket-run.js';

/*
 * A ticket that Claude thought about, by the stand-in of its API; its turns are thought again by verbs, on the budget of
 * an instance with a real ledger.
 */

const temporal = withTemporal();
const home = temporaryFolder();
const files = contentFiles();
const ID = 'tikv/1';
/** 100 tokens in and 50 out, at the prices of agents/models.yaml. */
const COST = { use: 0.0007, 'claude-opus-5': 0.00175 } as const;

/** Looks once, then gives up; another model, or one that is told to be brief, gives up at once. */
function script({ model, system, messages }: AskedOfModel): Said {
  const isOther = model === 'claude-opus-5' || system.some(({ text }) => text.includes('Be brief.'));
  const call = { kind: 'http', api: 'pd', node: null, path: '/pd/api/v1/stores' };
  if (!isOther && !JSON.stringify(messages).includes(call.path))
    return says(calls('look', { why: 'dead or frozen?', calls: [call] }));
  return says(calls('escalate', { why: 'I give up' }));
}

let api: MessagesApi;
const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'] as const;
const before = KEYS.map((key) => [key, process.env[key]] as const);
beforeAll(async () => {
  api = await serveMessagesApi(script);
  process.env.ANTHROPIC_API_KEY = 'test-key-of-nobody';
  process.env.ANTHROPIC_BASE_URL = api.origin;
});
afterAll(async () => {
  for (const [key, value] of before)
    if (value === undefined) delete process.env[key];
    else process.env[key] = value;
  await api?.close();
});

/** Thinking, storing and paying are real. */
function thinking(queue: string): AllActivities {
  const evidence = createFileStore({ home });
  const shared = { client: temporal.client, home, now: Date.now };
  const reasoner = createLiveClaude({
    ...{ model: null, files, subject: TIKV, hosts: [], rules: tikvRules(), evidence, secrets: [], now: Date.now },
    budget: createInstanceBudget({ ...shared, taskQueue: queue, budgetFile: files.budgetFile }).port,
  });
  const rooms = new Map([['tikv', { reasoner } as unknown as Room]]);
  return {
    ...activityDoubles(noCounts()),
    ...createThink({ rooms, evidence }),
    ...archiving({ home, history: (workflowId, run) => fetchHistoryText(temporal.client, workflowId, run) }),
  };
}

const typed = verbs(['backtest', 'whatif']);

async function medic(...argv: string[]) {
  const asked = api.requests.length;
  const said = await typed(...argv, '--home', home);
  return { ...said, asked: api.requests.slice(asked).map(({ model }) => model) };
}

const spentUsd = async () => {
  const [month] = Object.values((await readLedger(temporal.client))?.books.months ?? {});
  return (month?.spent ?? 0) / 1e6;
};

describe('the turns of a model', () => {
  it('are thought again for nothing where nothing changed, and for what the budget grants where something did', async () => {
    const queue = 'claude-again';
    const activities = { ...thinking(queue), tellBudget: async () => {} };
    const work = async () => {
      const ticket = await startTicket(temporal, { input: ticketInput(), queue });
      await inPhase(ticket, 'escalated');
      await ticket.signal(MESSAGES.abort, { by: 'ana', reason: 'enough' });
      await ticket.result();
      expect(await spentUsd()).toBeCloseTo(2 * COST.use, 9);
      const instance = openInstance({ home });
      const { address } = temporal;
      instance.publish({ address, namespace: 'default', taskQueuePrefix: queue, ports: {}, processes: {} });
      try {
        await thinkAgain();
      } finally {
        instance.close();
        await temporal.client.workflow.getHandle(BUDGET_ID).terminate('the test is over');
      }
    };
    await temporal.withWorker(activities, work, { queue });
  }, 120_000);

  async function thinkAgain(): Promise<void> {
    const same = await medic('whatif', ID, '--at', '1', '--reasoner', 'claude');
    expect(same).toMatchObject({ code: 0, asked: [] });
    expect(same.out.at(-1)).toBe('ends aborted');

    const other = await medic('whatif', ID, '--at', '1', '--reasoner', 'claude:claude-opus-5');
    expect(other).toMatchObject({ code: 3, asked: ['claude-opus-5'] });
    expect(other.out).toContain('parts in turn 1: what it thinks');
    expect(other.out.at(-1)).toMatch(/^stops here: handed over to a person/);
    expect(other.err).toContain(`thought again for ${COST['claude-opus-5'].toFixed(4)} $`);
    expect(await spentUsd()).toBeCloseTo(2 * COST.use + COST['claude-opus-5'], 9);

    const prompt = join(home, 'system.md');
    writeFileSync(prompt, `${await readFile(files.systemPromptFile, 'utf8')}\nBe brief.\n`);
    const refused = await medic('backtest', '--prompt', prompt, '--ceiling', '0.01');
    expect(refused).toMatchObject({ code: 0, asked: [] });
    expect(refused.out.map((row) => row.split('\t')[4])).toEqual(['cannot tell', 'cannot tell']);
    expect(refused.out.join('\n')).toContain('the ceiling of');

    const tested = await medic('backtest', '--prompt', prompt, '--ceiling', '0.50');
    expect(tested).toMatchObject({ code: 3, asked: ['claude-sonnet-5-5', 'claude-sonnet-5-5'] });
    expect(tested.out.map((row) => row.split('\t').slice(0, 5))).toEqual([
      [ID, '1', 'next step', expect.stringMatching(/^look /), expect.stringMatching(/^escalate/)],
    ]);
    expect(tested.err).toContain(
      `2 decisions of 1 ticket: 1 would change, 0 cannot be told, 1 stay; ${(2 * COST.use).toFixed(4)} $`,
    );
    expect(await spentUsd()).toBeCloseTo(4 * COST.use + COST['claude-opus-5'], 9);

    const unchanged = await medic('backtest', '--prompt', files.systemPromptFile);
    expect(unchanged).toMatchObject({ code: 0, asked: [], out: [] });
  }
});
