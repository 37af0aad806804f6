import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { BudgetNotice } from '../../src/domain/budget-notice.js';
import type { Ceilings } from '../../src/domain/ceilings.js';
import { instant, ticketId } from '../../src/domain/ids.js';
import { EXPIRY_MS } from '../../src/domain/ledger.js';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger-state.js';
import type { BudgetPort, Reservation, ReserveAnswer, Settlement } from '../../src/domain/reservation.js';
import { createSpendingJournal } from '../../src/evidence/spending-journal.js';
import { type BudgetClientOptions, createBudgetClient, readLedger } from '../../src/runtime/budget-client.js';
import { fetchHistoryText } from '../../src/runtime/history.js';
import { budgetFromJournal, keepBudget } from '../../src/runtime/kept-budget.js';
import { replay } from '../../src/runtime/replay.js';
import { BUDGET_ID, type BudgetInput, MESSAGES } from '../../workflows/contract.js';
import { temporaryFolder } from '../src/runtime/process/temporary.js';
import { withTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';

/** A history is long after a hundred events instead of four thousand. */
const temporal = withTemporal({ config: { 'limit.historyCount.suggestContinueAsNew': '100' } });

const USD = 1_000_000;
const CEILINGS: Ceilings = { monthUsd: 50, agents: { triage: 40 }, ticketUsd: 2, warnAt: 0.8 };
const call = (id: string, micros: number, ticket = 1): Reservation => ({
  id,
  ticket: ticketId('tikv', ticket),
  agent: 'triage',
  model: 'm',
  micros,
});
const used = (id: string, micros: number): Settlement => ({ id, outcome: { kind: 'used', micros } });
const thisMonth = () => new Date().toISOString().slice(0, 7);

interface Budget {
  readonly notices: BudgetNotice[];
  readonly queue: string;
  /** Another client, with ceilings of its own. */
  client(options?: Partial<Omit<BudgetClientOptions, 'ceilings'>> & { ceilings?: () => Ceilings }): BudgetPort;
  ledger(): Promise<Ledger>;
  /** Spent and reserved in this month. */
  sums(): Promise<[number, number]>;
}

function budgetOn(queue: string, notices: BudgetNotice[]): Budget {
  const ledger = async () => (await readLedger(temporal.client)) ?? EMPTY_LEDGER;
  return {
    notices,
    queue,
    ledger,
    client: ({ ceilings = () => CEILINGS, ...rest } = {}) =>
      createBudgetClient({
        client: temporal.client,
        taskQueue: queue,
        ceilings: async () => ceilings(),
        now: Date.now,
        ...rest,
      }),
    sums: async () => {
      const month = (await ledger()).books.months[thisMonth()];
      return [month?.spent ?? 0, month?.reserved ?? 0];
    },
  };
}

function withBudget<T>(work: (budget: Budget) => Promise<T>, queue?: string): Promise<T> {
  const notices: BudgetNotice[] = [];
  const tellBudget = async (notice: BudgetNotice) => void notices.push(notice);
  return temporal.withWorker({ tellBudget }, (own) => work(budgetOn(own, notices)), { queue });
}

const runs = async () => {
  const seen: string[] = [];
  for await (const { runId } of temporal.client.workflow.list({ query: `WorkflowId = "${BUDGET_ID}"` }))
    seen.push(runId);
  return seen.length;
};

/** One instance has one budget, so each test ends its own. */
afterEach(async () => {
  await temporal.client.workflow.getHandle(BUDGET_ID).terminate('end of a test');
});

describe('the budget', () => {
  it('starts with the first reservation, and holds and books each call once however often it is asked', async () => {
    await withBudget(async (it) => {
      const port = it.client();
      for (let n = 0; n < 3; n += 1) expect(await port.reserve(call('r.1', 500_000))).toEqual({ granted: true });
      expect(await it.sums()).toEqual([0, 500_000]);
      for (let n = 0; n < 3; n += 1) await port.settle(used('r.1', 120_000));
      expect(await it.client().reserve(call('r.1', 500_000))).toEqual({ granted: true });
      expect(await it.sums()).toEqual([120_000, 0]);
      const described = await temporal.client.workflow.getHandle(BUDGET_ID).describe();
      expect(await described.staticSummary()).toBe('what paid calls cost, and what they may cost');
    });
  });

  it('does not let two clients have the last dollar together', async () => {
    await withBudget(async (it) => {
      const ceilings = () => ({ ...CEILINGS, monthUsd: 1 });
      const clients = [it.client({ ceilings }), it.client({ ceilings })];
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => clients[n % 2]?.reserve(call(`race.${n}`, 300_000, n + 1))),
      );
      expect(answers.filter((answer) => answer?.granted)).toHaveLength(3);
      expect(await it.sums()).toEqual([0, 900_000]);
    });
  });

  it('goes on over new histories: sums, first answers and calls in flight stay, and nothing is counted twice', async () => {
    await withBudget(async (it) => {
      const ceilings = () => ({ ...CEILINGS, ticketUsd: 50 });
      const [one, two] = [it.client({ ceilings }), it.client({ ceilings })];
      const before = await runs();
      expect(await one.reserve(call('early', 10))).toEqual({ granted: true });
      const refused = await one.reserve(call('big', 60 * USD));
      for (let n = 0; n < 60; n += 1) {
        await Promise.all([one.reserve(call(`a.${n}`, 1_000)), two.reserve(call(`b.${n}`, 1_000))]);
        await Promise.all([
          one.settle(used(`a.${n}`, 100)),
          two.settle(used(`b.${n}`, 100)),
          two.settle(used(`b.${n}`, 100)),
        ]);
      }
      expect((await runs()) - before).toBeGreaterThan(2);
      expect(await it.sums()).toEqual([12_000, 10]);
      expect(await one.reserve(call('early', 10))).toEqual({ granted: true });
      expect(await two.reserve(call('big', 1))).toEqual(refused);
      expect(await one.reserve(call('a.59', 1_000))).toEqual({ granted: true });
      await one.settle(used('a.59', 100));
      await one.settle(used('early', 7));
      expect(await it.sums()).toEqual([12_007, 0]);
      expect((await it.ledger()).counts).toMatchObject({ granted: 121, strays: 0 });
    });
  }, 120_000);

  it('begins with what the journal says when its database is gone: a restart gives no new money', async () => {
    const home = temporaryFolder();
    const journal = createSpendingJournal({ home });
    const now = () => instant(Date.now());
    const options = { begin: () => budgetFromJournal(journal, now()) };
    await withBudget(async (it) => {
      const port = keepBudget({ budget: it.client(options), journal, now: Date.now });
      await port.reserve(call('k.1', 1_500_000));
      await port.settle(used('k.1', 400_000));
      await port.reserve(call('k.2', 1_000_000));
      expect(await port.reserve(call('k.3', 900_000))).toMatchObject({ granted: false, ceiling: 'ticket' });
      await temporal.client.workflow.getHandle(BUDGET_ID).terminate('its database is gone');
      appendFileSync(join(home, 'spending', `${thisMonth()}.jsonl`), '{"at":"2026-');

      const again = keepBudget({ budget: it.client(options), journal, now: Date.now });
      expect(await again.reserve(call('k.4', 700_000))).toMatchObject({ granted: false, ceiling: 'ticket' });
      expect(await it.sums()).toEqual([400_000, 1_000_000]);
      expect(await again.reserve(call('k.1', 1))).toEqual({ granted: true });
      expect(await it.sums()).toEqual([400_000, 1_000_000]);
      await again.settle(used('k.2', 100_000));
      expect(await again.reserve(call('k.5', 700_000))).toEqual({ granted: true });
    });
  });

  it('has ceilings of the present configuration in force at once', async () => {
    await withBudget(async (it) => {
      let ticketUsd = 1;
      const port = it.client({ ceilings: () => ({ ...CEILINGS, ticketUsd }) });
      expect(await port.reserve(call('c.1', 2 * USD))).toMatchObject({ granted: false, ceiling: 'ticket' });
      ticketUsd = 3;
      expect(await port.reserve(call('c.2', 2 * USD))).toEqual({ granted: true });
      ticketUsd = 2;
      expect(await port.reserve(call('c.3', 1))).toMatchObject({ granted: false, ceiling: 'ticket' });
      expect((await it.ledger()).ceilings).toEqual({ ...CEILINGS, ticketUsd: 2 });
    });
  });

  it('tells a person once of each thing, also over new histories', async () => {
    await withBudget(async (it) => {
      const port = it.client({ ceilings: () => ({ ...CEILINGS, monthUsd: 1, agents: {} }) });
      await port.reserve(call('n.0', 900_000));
      await port.settle(used('n.0', 900_000));
      for (let n = 1; n < 60; n += 1) await port.reserve(call(`n.${n}`, 200_000));
      await until('both notices', () => (it.notices.length >= 2 ? true : undefined), { seen: () => it.notices });
      expect(it.notices).toEqual([
        { kind: 'warning', text: `80 % of the ceiling of 1.00 USD for the month ${thisMonth()} is spent: 0.9000 USD.` },
        { kind: 'reached', text: expect.stringContaining('A paid call was refused: the ceiling of 1.00 USD') },
      ]);
      expect((await it.ledger()).counts.refused.month).toBe(59);
    });
  });

  it('decides in a replay of its history as it did', async () => {
    await withBudget(async (it) => {
      const port = it.client({ ceilings: () => ({ ...CEILINGS, monthUsd: 1, agents: {} }) });
      for (let n = 0; n < 6; n += 1) {
        await port.reserve(call(`p.${n}`, 300_000));
        await port.settle(used(`p.${n}`, 290_000));
      }
      await until('both notices', () => (it.notices.length >= 2 ? true : undefined), { seen: () => it.notices });
      const text = await fetchHistoryText(temporal.client, BUDGET_ID);
      expect(text).toContain('tellBudget');
      await replay({ text, source: 'budget', workflowId: BUDGET_ID, tell: () => {} });
    });
  });

  it('refuses what is malformed with a code, and it leaves no trace', async () => {
    await withBudget(async (it) => {
      const port = it.client();
      await port.reserve(call('m.1', 1));
      const length = async () => (await temporal.client.workflow.getHandle(BUDGET_ID).describe()).historyLength;
      const before = await length();
      await expect(port.reserve(call('m.2', 0.5))).rejects.toMatchObject({
        code: 'MEDIC_BUDGET_SHAPE',
        message: '`micros` is a whole number of millionths of a dollar, from 0',
      });
      await expect(
        port.settle({ id: 'm.1', outcome: { kind: 'paid' } } as unknown as Settlement),
      ).rejects.toMatchObject({
        code: 'MEDIC_BUDGET_SHAPE',
      });
      await expect(
        temporal.client.workflow.getHandle(BUDGET_ID).executeUpdate(MESSAGES.reserve, { args: [null] }),
      ).rejects.toMatchObject({ cause: { type: 'MEDIC_BUDGET_SHAPE', nonRetryable: true } });
      expect(await length()).toBe(before);
      expect(await it.sums()).toEqual([0, 1]);
    });
  });

  it('never sees what a model was asked or has answered', async () => {
    await withBudget(async (it) => {
      const port = it.client();
      await port.reserve(call('h.1', 5));
      await port.settle(used('h.1', 3));
      const { events } = await temporal.client.workflow.getHandle(BUDGET_ID).fetchHistory();
      const payloads = (events ?? []).flatMap((event) => [
        ...(event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args?.payloads ?? []),
      ]);
      const bodies = payloads.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
      expect(bodies).toEqual([{ reservation: call('h.1', 5), ceilings: CEILINGS }, used('h.1', 3)]);
    });
  });
});

describe('a budget without a worker', () => {
  it('is unreachable, and what was asked is carried out once when a worker comes, however often it is asked again', async () => {
    const queue = 'test-budget-restart';
    await withBudget(async (it) => {
      expect(await it.client().reserve(call('w.1', 500_000))).toEqual({ granted: true });
    }, queue);
    const nobody = budgetOn(queue, []).client({ tryMs: 400, giveUpMs: 1_500 });
    await expect(nobody.settle(used('w.1', 100_000))).rejects.toMatchObject({
      code: 'MEDIC_BUDGET_UNREACHABLE',
      message: expect.stringContaining('the budget did not answer `settle` (w.1.settle.used)'),
    });
    await expect(nobody.reserve(call('w.2', 300_000))).rejects.toMatchObject({ code: 'MEDIC_BUDGET_UNREACHABLE' });
    await withBudget(async (it) => {
      const port = it.client();
      expect(await port.reserve(call('w.2', 300_000))).toEqual({ granted: true });
      await port.settle(used('w.1', 100_000));
      expect(await it.sums()).toEqual([100_000, 300_000]);
      expect((await it.ledger()).counts).toMatchObject({ granted: 2, strays: 0 });
    }, queue);
  }, 60_000);
});

describe('a call that nobody settles', () => {
  /** A budget that was begun some time ago, with one open call. */
  const begun = (queue: string, at: string, month: string) => {
    const account = { spent: 0, reserved: USD };
    const counts = { calls: 1, refused: 0, lost: 0, found: 0, overruns: 0 };
    const ledger: Ledger = {
      ...EMPTY_LEDGER,
      ceilings: CEILINGS,
      books: {
        months: { [month]: { ...account, ...counts, agents: { triage: account } } },
        tickets: { 'tikv/1': { ...account, at } },
        days: {},
      },
      open: [{ id: 'lost', ticket: 'tikv/1', agent: 'triage', micros: USD, at }],
    };
    const carried: BudgetInput = { carried: { v: 1, ledger, untold: [] } };
    return temporal.client.workflow.start('budget', { workflowId: BUDGET_ID, taskQueue: queue, args: [carried] });
  };
  const expired = (it: Budget) =>
    until('the call to expire', async () => ((await it.ledger()).unknown.length === 1 ? true : undefined), {
      deadlineMs: 15_000,
    });

  it('counts at its worst case by itself when its time is over, until its settlement is found', async () => {
    await withBudget(async (it) => {
      await begun(it.queue, instant(Date.now() - EXPIRY_MS + 6_000), thisMonth());
      expect(await it.sums()).toEqual([0, USD]);
      await expired(it);
      expect(await it.sums()).toEqual([USD, 0]);
      await it.client().settle(used('lost', 200_000));
      await it.client().settle(used('lost', 300_000));
      expect(await it.sums()).toEqual([200_000, 0]);
    });
  });

  it('of the month before is booked and corrected there, while this month has its own accounts', async () => {
    await withBudget(async (it) => {
      await begun(it.queue, '2026-01-31T23:59:00.000Z', '2026-01');
      await expired(it);
      const ceilings = () => ({ ...CEILINGS, monthUsd: 1 });
      expect(await it.client({ ceilings }).reserve(call('new', USD, 2))).toEqual({
        granted: true,
      } satisfies ReserveAnswer);
      await it.client().settle(used('lost', 200_000));
      const { months } = (await it.ledger()).books;
      expect(months['2026-01']).toMatchObject({ spent: 200_000, reserved: 0 });
      expect(months[thisMonth()]).toMatchObject({ spent: 0, reserved: USD });
    });
  });
});
