import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Lab } from '../subjects/tikv/lab/labd/client.js';
import { launchLab } from '../subjects/tikv/lab/labd/launch.js';
import { costOfAll } from './process-cost.js';

/*
 * What the local lab costs: time until the whole cluster is healthy, memory and idle CPU of labd and all nodes.
 *
 *     node dist/bench/lab-footprint.js [--runs 3] [--out FILE] [--note TEXT]
 *
 * Exit 1 when a bound does not hold in every run.
 */

const BOUNDS = { healthyMs: 12_000, rssMiB: 900, idleCpuPercentOfOneCore: 25 };
const HEALTHY_DEADLINE_MS = 30_000;
/** Elections, first heartbeats and compilation are over by then. */
const SETTLE_MS = 10_000;
const IDLE_MS = 10_000;
const MIB = 1024 * 1024;

type Run = Record<keyof typeof BOUNDS, number> & { readonly processes: number };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '3' },
      out: { type: 'string', default: 'bench/results/lab-footprint.json' },
      note: { type: 'string' },
    },
  });
  const loadBefore = loadavg()[0];
  const runs: Run[] = [];
  for (let i = 0; i < Number(values.runs); i += 1) runs.push(await oneRun());
  const keys = Object.keys(BOUNDS) as (keyof typeof BOUNDS)[];
  const worst = Object.fromEntries(keys.map((key) => [key, Math.max(...runs.map((run) => run[key]))])) as typeof BOUNDS;
  const holds = keys.every((key) => worst[key] <= BOUNDS[key]);
  const machine = { cores: availableParallelism(), node: process.version, platform: process.platform, loadBefore };
  const result = {
    bench: 'lab-footprint',
    at: new Date().toISOString(),
    profile: 'fast',
    lab: 'stand-in, 3 PDs, 4 stores, 24 regions',
    machine,
    note: values.note,
    bounds: BOUNDS,
    worst,
    holds,
    runs,
  };
  mkdirSync(join(values.out, '..'), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
  process.stdout.write(`${JSON.stringify({ worst, holds })}\n`);
  process.exitCode = holds ? 0 : 1;
}

async function oneRun(): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'medic-footprint-'));
  const begun = performance.now();
  const launched = launchLab({ dir });
  try {
    const lab = await launched.ready;
    const health = await lab.waitHealthy({ deadlineMs: HEALTHY_DEADLINE_MS });
    const healthyMs = Math.round(performance.now() - begun);
    if (!health.healthy) throw new Error(`not healthy after ${healthyMs} ms: ${health.missing.join('; ')}`);
    return { healthyMs, ...(await idleCost(lab)) };
  } finally {
    await launched.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function idleCost(lab: Lab): Promise<Omit<Run, 'healthyMs'>> {
  const pids = [(await lab.identity()).pid, ...(await lab.ps()).map(({ pid }) => pid ?? 0)];
  await pass(SETTLE_MS);
  const [begun, before] = [performance.now(), costOfAll(pids)];
  await pass(IDLE_MS);
  const after = costOfAll(pids);
  const percent = (100 * (after.cpuMs - before.cpuMs)) / (performance.now() - begun);
  return {
    rssMiB: Math.round(after.rssBytes / MIB),
    idleCpuPercentOfOneCore: Math.round(percent * 10) / 10,
    processes: pids.length,
  };
}

function pass(ms: number): Promise<void> {
  return new Promise((later) => setTimeout(later, ms));
}

await main();
