import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import type { DemoSummary } from '../src/cli/demo-summary.js';
import { compiledFile } from '../src/runtime/package-root.js';

/*
 * The demo again and again: how long until the fault is found, repaired and proven, and how long it all takes.
 *
 *     node dist/bench/demo-times.js [--runs 5] [--fault node_kill] [--out FILE] [--note TEXT]
 *
 * Exit 1 when a run did not end resolved, proven and with the fault gone.
 */

interface Run extends DemoSummary {
  readonly exitCode: number | null;
  readonly wholeMs: number;
  readonly loadBefore: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string', default: '5' },
      fault: { type: 'string', default: 'node_kill' },
      out: { type: 'string', default: 'bench/results/demo-times.json' },
      note: { type: 'string' },
    },
  });
  const runs: Run[] = [];
  for (let i = 0; i < Number(values.runs); i += 1) runs.push(await oneRun(values.fault));
  const won = runs.filter((run) => run.exitCode === 0).length;
  const result = {
    bench: 'demo-times',
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    profile: 'fast',
    lab: 'stand-in, 3 PDs, 4 stores, 24 regions',
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform },
    note: values.note,
    fault: values.fault,
    won: `${won} of ${runs.length}`,
    median: Object.fromEntries(
      (['detectMs', 'repairMs', 'provenMs', 'wholeMs', 'looks', 'acts', 'turns'] as const).map((key) => [
        key,
        middle(runs.map((run) => run[key] ?? Number.NaN)),
      ]),
    ),
    runs,
  };
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
  process.stdout.write(`${JSON.stringify({ won: result.won, median: result.median })}\n`);
  process.exitCode = won === runs.length ? 0 : 1;
}

async function oneRun(fault: string): Promise<Run> {
  const home = mkdtempSync(join(tmpdir(), 'medic-times-'));
  const summary = join(home, 'summary.json');
  const [loadBefore = 0] = loadavg();
  const began = performance.now();
  const args = [compiledFile('src/cli/main.ts'), 'demo', '--home', home, '--fault', fault, '--summary', summary];
  const { exitCode } = await execa(process.execPath, args, { reject: false, stdin: 'ignore' });
  const wholeMs = Math.round(performance.now() - began);
  const numbers = JSON.parse(readFileSync(summary, 'utf8')) as DemoSummary;
  rmSync(home, { recursive: true, force: true });
  return { ...numbers, exitCode: exitCode ?? null, wholeMs, loadBefore };
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

await main();
