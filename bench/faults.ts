import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { FAULTS } from '../chaos/faults.js';
import type { DemoSummary } from '../src/cli/demo-summary.js';
import { compiledFile } from '../src/runtime/package-root.js';
import type { FaultRow } from './faults-table.js';

/*
 * Every fault through the whole of Medic, again and again: is each end the right one, and how long does it take?
 *
 *     node dist/bench/faults.js [--faults a,b,..] [--runs 3] [--out FILE] [--note TEXT]
 *
 * Rows of other faults stay in the file, so that it can be run in pieces. Exit 1 when an end was not the right one.
 */

interface Row extends FaultRow {
  readonly runs: readonly Run[];
}

type Run = Pick<DemoSummary, 'end' | 'right' | 'phase' | 'acts' | 'looks' | 'detectMs' | 'repairMs' | 'provenMs'> & {
  readonly wholeMs: number;
  readonly load1: number;
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      faults: { type: 'string', default: FAULTS.map(({ name }) => name).join(',') },
      runs: { type: 'string', default: '3' },
      out: { type: 'string', default: 'bench/results/faults.json' },
      note: { type: 'string' },
    },
  });
  const names = values.faults.split(',');
  const rows: Row[] = [];
  for (const name of names) {
    const row = await tryFault(name, Number(values.runs));
    rows.push(row);
    process.stdout.write(`${JSON.stringify({ fault: name, right: row.right, median: row.median })}\n`);
    write(values.out, [...rowsIn(values.out).filter(({ fault }) => fault !== name), row], values.note);
  }
  process.exitCode = rows.every(({ right, runs }) => right === `${runs.length} of ${runs.length}`) ? 0 : 1;
}

async function tryFault(fault: string, times: number): Promise<Row> {
  const runs: Run[] = [];
  for (let i = 0; i < times; i += 1) runs.push(await oneRun(fault));
  return {
    fault,
    rightEnd: FAULTS.find(({ name }) => name === fault)?.rightEnd.kind ?? 'unknown',
    right: `${runs.filter(({ right }) => right).length} of ${runs.length}`,
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    median: {
      detected: middle(runs.map(({ detectMs }) => seconds(detectMs))),
      repaired: middle(runs.map(({ repairMs }) => seconds(repairMs))),
      proven: middle(runs.map(({ provenMs }) => seconds(provenMs))),
      acts: middle(runs.map(({ acts }) => acts)),
    },
    runs,
  };
}

async function oneRun(fault: string): Promise<Run> {
  const home = mkdtempSync(join(tmpdir(), 'medic-faults-'));
  const summary = join(home, 'summary.json');
  const [load1 = 0] = loadavg();
  const began = performance.now();
  const args = [compiledFile('src/cli/main.ts'), 'demo', '--home', home, '--fault', fault, '--summary', summary];
  const ran = await execa(process.execPath, [...args, '--reasoner', 'rules'], { reject: false, stdin: 'ignore' });
  const wholeMs = Math.round(performance.now() - began);
  if (!existsSync(summary)) throw new Error(`${fault} ended with ${ran.exitCode}:\n${ran.stdout}\n${ran.stderr}`);
  const all = JSON.parse(readFileSync(summary, 'utf8')) as DemoSummary;
  rmSync(home, { recursive: true, force: true });
  const { end, right, phase, acts, looks, detectMs, repairMs, provenMs } = all;
  return { end, right, phase, acts, looks, detectMs, repairMs, provenMs, wholeMs, load1 };
}

function rowsIn(file: string): readonly Row[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly rows: readonly Row[] }).rows : [];
}

function write(file: string, rows: readonly Row[], note: string | undefined): void {
  const whole = {
    bench: 'faults',
    at: new Date().toISOString(),
    profile: 'fast',
    lab: 'stand-in, 3 PDs, 4 stores, 24 regions',
    reasoner: 'rules',
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform },
    note,
    rows: [...rows].sort((a, b) => order(a.fault) - order(b.fault)),
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(whole, undefined, 2)}\n`);
}

const order = (fault: string): number => FAULTS.findIndex(({ name }) => name === fault);

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 100) / 10);

/** What was not reached counts as longer than anything. */
function middle(values: readonly (number | null)[]): number | null {
  const sorted = [...values].sort((a, b) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

await main();
