import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { Ceilings } from '../src/domain/ceilings.js';
import { ticketId } from '../src/domain/ids.js';
import type { BudgetPort } from '../src/domain/reservation.js';
import { createBudgetClient, readLedger } from '../src/runtime/budget-client.js';
import { connectClient } from '../src/runtime/connection.js';
import { devServerAddress, devServerChild, devServerReadiness } from '../src/runtime/process/dev-server.js';
import { claimPort } from '../src/runtime/process/ports.js';
import { createSupervisor } from '../src/runtime/process/supervisor.js';
import { temporalCli } from '../src/runtime/process/temporal-cli.js';
import { workflowBundlePath } from '../src/runtime/replay.js';
import { storySink } from '../src/runtime/worker/story-sink.js';
import type { BudgetActivities } from '../workflows/activity-contract.js';
import { BUDGET_ID } from '../workflows/contract.js';

/*
 * What the budget adds to a paid call: reservations and settlements against a real server with a database file, one after
 * the other and by four clients at once.
 *
 *     node dist/bench/budget.js [--calls 1000] [--out FILE] [--note TEXT]
 *
 * Exit 1 when the sums are not exact or the carried state is not below its bound.
 */

const QUEUE = 'bench-budget';
const RESERVED = 50_000;
const USED = 12_345;
const STATE_BOUND_BYTES = 100 * 1024;
const CEILINGS: Ceilings = { monthUsd: 1_000, agents: { 'on-call-triage': 900 }, ticketUsd: 5, warnAt: 0.8 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '1000' },
      out: { type: 'string', default: 'bench/results/budget.json' },
      note: { type: 'string' },
    },
  });
  const loadBefore = loadavg()[0];
  const runs = await onServer(async (client) => {
    const calls = Number(values.calls);
    return [await oneRun(client, { calls, clients: 1 }), await oneRun(client, { calls, clients: 4 })];
  });
  const holds = runs.every((run) => run.exact && run.stateBytes < STATE_BOUND_BYTES);
  const result = {
    bench: 'budget',
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    server:
      "Temporal dev server with Medic's flags, database file (WAL, synchronous=normal); worker and clients in one process",
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform, loadBefore },
    note: values.note,
    bounds: { stateBytes: STATE_BOUND_BYTES },
    holds,
    runs,
  };
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
  process.stdout.write(`${JSON.stringify({ holds, runs })}\n`);
  process.exitCode = holds ? 0 : 1;
}

async function onServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'medic-bench-budget-'));
  const supervisor = createSupervisor({ report: () => undefined });
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  try {
    const { port, release } = await claimPort({ option: 'the server of the bench', preferred: 17_900 });
    const address = devServerAddress({ port });
    const files = { dbFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') };
    const child = devServerChild({ cli: temporalCli(), port, ...files });
    await supervisor.start(child, devServerReadiness({ address, namespace: 'default' }));
    const { client, connection } = await connectClient({ address, namespace: 'default' });
    const native = await NativeConnection.connect({ address });
    const result = await (await worker(native)).runUntil(() => work(client));
    await native.close();
    await connection.close();
    release();
    return result;
  } finally {
    await supervisor.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const worker = (connection: NativeConnection): Promise<Worker> =>
  Worker.create({
    connection,
    taskQueue: QUEUE,
    workflowBundle: { codePath: workflowBundlePath() },
    activities: { tellBudget: async () => {} } satisfies BudgetActivities,
    sinks: storySink(() => {}, 'live'),
  });

/** All calls by so many clients, each reserving and settling one after the other. */
async function oneRun(client: Client, { calls, clients }: { calls: number; clients: number }) {
  const before = new Set((await histories(client)).map(({ run }) => run));
  const took: Took = { reserve: [], settle: [] };
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, (_, n) =>
      spend(portOf(client), { name: `c${clients}.${n}`, calls: calls / clients, took }),
    ),
  );
  const wallMs = Math.round(performance.now() - began);
  const ledger = await readLedger(client);
  const own = (await histories(client)).filter(({ run }) => !before.has(run));
  await client.workflow.getHandle(BUDGET_ID).terminate('end of a run');
  const spent = Object.values(ledger?.books.months ?? {}).reduce((sum, month) => sum + month.spent + month.reserved, 0);
  return {
    clients,
    calls,
    wallMs,
    callsPerSecond: Math.round((calls / wallMs) * 10_000) / 10,
    reserveMs: percentiles(took.reserve),
    settleMs: percentiles(took.settle),
    historyEvents: own.reduce((sum, { events }) => sum + events, 0),
    continueAsNew: own.length - 1,
    stateBytes: Buffer.byteLength(JSON.stringify(ledger)),
    exact: spent === calls * USED,
  };
}

interface Took {
  readonly reserve: number[];
  readonly settle: number[];
}

const portOf = (client: Client): BudgetPort =>
  createBudgetClient({ client, taskQueue: QUEUE, ceilings: async () => CEILINGS, now: Date.now });

async function spend(
  port: BudgetPort,
  { name, calls, took }: { name: string; calls: number; took: Took },
): Promise<void> {
  for (let n = 0; n < calls; n += 1) {
    const id = `0195c3a0-7c1d-7d3e-9a53-3f0f7d5c2b11.${name}.${n}`;
    const ticket = ticketId('tikv', 1 + (n % 40));
    await timed(took.reserve, async () => {
      const answer = await port.reserve({ id, ticket, agent: 'on-call-triage', model: 'bench', micros: RESERVED });
      if (!answer.granted) throw new Error(answer.reason);
    });
    await timed(took.settle, () => port.settle({ id, outcome: { kind: 'used', micros: USED } }));
  }
}

async function timed(into: number[], work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await work();
  into.push(performance.now() - began);
}

function percentiles(ms: readonly number[]) {
  const sorted = [...ms].sort((a, b) => a - b);
  const at = (part: number) => Math.round((sorted[Math.floor(part * (sorted.length - 1))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** All runs of the budget so far and the length of their histories. */
async function histories(client: Client): Promise<{ run: string; events: number }[]> {
  const seen: { run: string; events: number }[] = [];
  for await (const { runId } of client.workflow.list({ query: `WorkflowId = "${BUDGET_ID}"` })) {
    const { historyLength } = await client.workflow.getHandle(BUDGET_ID, runId).describe();
    seen.push({ run: runId, events: historyLength });
  }
  return seen;
}

await main();
