import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Room } from '../../activities/room.js';
import { createThink } from '../../activities/think.js';
import { ticketWorkflowId } from '../../src/domain/ids.js';
import { createChain } from '../../src/reasoner/chain.js';
import { createClaude } from '../../src/reasoner/claude/claude.js';
import { createSettling } from '../../src/reasoner/claude/settling.js';
import type { Reasoner } from '../../src/reasoner/reasoner.js';
import { MESSAGES, QUERIES, type TicketStatus } from '../../workflows/contract.js';
import { memoryStore, openBudget, PRICES, prompt } from '../src/reasoner/claude/room.js';
import { calls, type MessagesApi, type Said, says, serveMessagesApi } from '../support/messages-api.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { activityDoubles, noCounts, thought, ticketInput } from './ticket-double.js';

const temporal = withTemporal();
let api: MessagesApi | null = null;
afterEach(async () => {
  await api?.close();
  api = null;
});

const escalates = says(calls('escalate', { why: 'I give up' }));
const overloaded: Said = {
  kind: 'fails',
  status: 529,
  type: 'overloaded_error',
  message: 'Overloaded',
  headers: { 'retry-after-ms': '50' },
};

/** The real `think` with a model of each name, on a server that follows the script; the rest of the ticket is doubled. */
async function treat(script: (model: string) => Said, work: (ticket: Treated) => Promise<void>, input = ticketInput()) {
  const server = await serveMessagesApi(({ model }) => script(model));
  api = server;
  const budget = openBudget();
  const evidence = memoryStore();
  const model = (name: string) =>
    createClaude({
      client: new Anthropic({ apiKey: 'k', baseURL: server.origin, maxRetries: 0, timeout: 30_000 }),
      model: name,
      maxTokens: 1000,
      contextTokens: 60_000,
      stream: true,
      prices: PRICES,
      prompt: prompt(),
      evidence,
      reserve: budget.port.reserve,
      settle: createSettling(budget.port),
      redact: (text) => text,
      now: Date.now,
    });
  const rules: Reasoner = { name: 'rules', reason: async () => thought({ kind: 'escalate', why: 'no rule' }, false) };
  const reasoner = createChain({
    models: [model('claude-test'), model('claude-spare')],
    rules,
    triesEach: 2,
    resting: new Map(),
    now: Date.now,
  });
  const rooms = new Map([['tikv', { reasoner } as unknown as Room]]);
  const activities = { ...activityDoubles(noCounts()), ...createThink({ rooms, evidence }) };
  await temporal.withWorker(activities, async (taskQueue) => {
    const handle = await temporal.client.workflow.start('ticket', {
      workflowId: ticketWorkflowId(input.filing.id),
      taskQueue,
      args: [input],
    });
    await work({
      server,
      budget,
      handle,
      escalated: () =>
        until(
          'the ticket to be with a person',
          async () => {
            const status = await handle.query<TicketStatus>(QUERIES.status);
            return status.phase === 'escalated' ? status : undefined;
          },
          { deadlineMs: 30_000 },
        ),
      thought: async () => {
        const trail = await handle.query<{ type: string; notes?: string[]; model?: string }[]>(QUERIES.trail);
        return trail.find(({ type }) => type === 'thought');
      },
    });
    const { status } = await handle.describe();
    if (status.name === 'RUNNING') await handle.signal(MESSAGES.abort, { by: 'test', reason: 'over' });
    await handle.result();
  });
}

interface Treated {
  readonly server: MessagesApi;
  readonly budget: ReturnType<typeof openBudget>;
  readonly handle: Awaited<ReturnType<typeof temporal.client.workflow.start>>;
  escalated(): Promise<TicketStatus>;
  thought(): Promise<{ notes?: string[]; model?: string } | undefined>;
}

describe('a ticket whose model fails', () => {
  it('is retried by Temporal, passes to the fallback, and says so', async () => {
    await treat(
      (model) => (model === 'claude-test' ? overloaded : escalates),
      async (ticket) => {
        await ticket.escalated();
        expect(ticket.server.requests.map(({ model }) => model)).toEqual([
          'claude-test',
          'claude-test',
          'claude-spare',
        ]);
        expect(await ticket.thought()).toMatchObject({
          model: 'claude-spare',
          notes: [expect.stringMatching(/^claude-test failed 2 times: claude-test: HTTP 529: Overloaded/)],
        });
      },
    );
  });

  it('ends with the rules when the fallback fails too', async () => {
    await treat(
      () => overloaded,
      async (ticket) => {
        await ticket.escalated();
        expect(ticket.server.requests).toHaveLength(4);
        expect(await ticket.thought()).toMatchObject({
          reasoner: 'double',
          notes: [expect.stringMatching(/^rules think: claude-test failed 2 times.*claude-spare failed 2 times/)],
        });
      },
    );
  });

  it('with a wrong key goes to a person at once, with the cause in words', async () => {
    await treat(
      () => ({ kind: 'fails', status: 401, type: 'authentication_error', message: 'invalid x-api-key' }),
      async (ticket) => {
        const { brief } = await ticket.escalated();
        expect(ticket.server.requests).toHaveLength(1);
        expect(brief?.split('\n')[0]).toMatch(
          /needs a person: the model cannot be asked: claude-test: HTTP 401: invalid x-api-key.*Check ANTHROPIC_API_KEY\.$/,
        );
      },
    );
  });
});

describe('an abort while the model thinks', () => {
  it('cancels the call, counts it in full, and ends the ticket', async () => {
    await treat(
      () => ({ kind: 'hangs' }),
      async ({ server, budget, handle }) => {
        await until('the model is asked', () => server.requests.length || undefined, { deadlineMs: 30_000 });
        await handle.signal(MESSAGES.abort, { by: 'ana', reason: 'stop' });
        expect(await handle.result()).toMatchObject({ phase: 'aborted' });
        await until('the call is cut', () => server.abandoned() || undefined, { deadlineMs: 20_000 });
        await until('the call is settled', () => budget.settlements.length || undefined, { deadlineMs: 20_000 });
        expect(budget.settlements).toMatchObject([{ outcome: { kind: 'unknown', why: 'it was aborted' } }]);
      },
    );
  });
});
