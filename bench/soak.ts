import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DeskState } from '../src/domain/desk.js';
import { type Check, isWhole, type Violation } from '../src/domain/violation.js';
import { advance, NOTHING_WATCHED } from '../src/domain/watching.js';
import type { Reasoner } from '../src/reasoner/reasoner.js';
import { bringUp, type Running } from '../src/runtime/bring-up.js';
import type { ChildEvent } from '../src/runtime/process/supervisor.js';
import { DEFAULT_WAITS } from '../src/runtime/worker/settings.js';
import { createTikvRoom } from '../src/runtime/worker/tikv-room.js';
import { createStoreClient } from '../subjects/tikv/lab/store/client.js';
import { startLoad } from '../subjects/tikv/lab/store/load.js';
import { TIKV } from '../subjects/tikv/subject.js';
import { deskId, QUERIES } from '../workflows/contract.js';

/*
 * A healthy lab under load, watched by a whole Medic: does anything file a ticket that should not? An invariant may file
 * only after half an hour without a false violation. What is only shown is watched beside it, by eyes of its own and with
 * the same grace, so that one run tells which of them may file from now on (`promotable`).
 *
 *     node dist/bench/soak.js [--minutes 30] [--ops 50] [--out FILE] [--note TEXT]
 *
 * Exit 1 when a ticket was filed or a violation of what files was ever active.
 */

const REGIONS = 24;
const POLL_MS = 500;

/** What the patrol and its desk showed. */
interface Seen {
  polls: number;
  /** Polls in which something was broken, but still within its grace. */
  suspectPolls: number;
  readonly activeViolations: Set<string>;
  maxObservationAgeSeconds: number;
  readonly load1: number[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      ops: { type: 'string', default: '50' },
      out: { type: 'string', default: 'bench/results/soak.json' },
      note: { type: 'string' },
    },
  });
  const home = mkdtempSync(join(tmpdir(), 'medic-soak-'));
  const children: ChildEvent[] = [];
  const running = await bringUp({
    home,
    stage: 'demo',
    profile: 'fast',
    stores: 4,
    reasoner: { kind: 'rules' },
    ports: {},
    report: (event) => children.push(event),
  });
  try {
    await quiet(running);
    const shown = watchShown(running);
    const result = await soak(running, { minutes: Number(values.minutes), ops: Number(values.ops) });
    const found = await shown.end();
    const clean = result.ticketsFiled === 0 && result.activeViolations.length === 0 && children.length === 0;
    const whole = {
      ...conditions(values.note),
      ...result,
      ...found,
      processesThatDied: children.map((c) => c.name),
      clean,
    };
    mkdirSync(dirname(values.out), { recursive: true });
    writeFileSync(values.out, `${JSON.stringify(whole, undefined, 2)}\n`);
    process.stdout.write(`${JSON.stringify({ clean, tickets: result.ticketsFiled, samples: result.samples })}\n`);
    process.exitCode = clean ? 0 : 1;
  } finally {
    await running.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const conditions = (note: string | undefined) => ({
  bench: 'soak',
  at: new Date().toISOString(),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  profile: 'fast',
  lab: 'stand-in, 3 PDs, 4 stores, 24 regions',
  machine: { cores: availableParallelism(), node: process.version, platform: process.platform },
  note,
  invariants: TIKV.invariants.filter((i) => i.use === 'files').map((i) => i.name),
});

async function soak(running: Running, { minutes, ops }: { minutes: number; ops: number }) {
  const client = createStoreClient({
    pd: running.lab.topology().pd.map((p) => p.clientUrl),
    attemptMs: 500,
    giveUpMs: 5_000,
  });
  const load = startLoad({ client, opsPerSecond: ops, regions: REGIONS });
  const seen: Seen = { polls: 0, suspectPolls: 0, activeViolations: new Set(), maxObservationAgeSeconds: 0, load1: [] };
  const began = Date.now();
  const first = await metric(running, 'medic_observations_total');
  while (Date.now() - began < minutes * 60_000) {
    await look(running, seen);
    await new Promise((later) => setTimeout(later, POLL_MS));
  }
  const counters = await load.stop();
  client.close();
  const desk = await deskOf(running);
  return {
    minutes,
    opsPerSecond: ops,
    samples: (await metric(running, 'medic_observations_total')) - first,
    ticketsFiled: desk.nextNumber - 1,
    activeViolations: [...seen.activeViolations],
    polls: seen.polls,
    suspectPolls: seen.suspectPolls,
    maxObservationAgeSeconds: seen.maxObservationAgeSeconds,
    machineLoad1: { median: middle(seen.load1), max: Math.max(...seen.load1) },
    load: counters,
  };
}

async function look(running: Running, seen: Seen): Promise<void> {
  const desk = await deskOf(running);
  seen.polls += 1;
  if (desk.lastReport?.quiet === false) seen.suspectPolls += 1;
  for (const violation of desk.tickets.flatMap((ticket) => ticket.active))
    seen.activeViolations.add(violation.fingerprint);
  const age = await metric(running, 'medic_last_observation_age_seconds');
  seen.maxObservationAgeSeconds = Math.max(seen.maxObservationAgeSeconds, age);
  seen.load1.push(loadavg()[0] ?? 0);
}

const SHOWN = TIKV.invariants.filter(({ use }) => use === 'evidence');

/** What one of the shown invariants said of a lab in which nothing was wrong. */
interface Shown {
  readonly invariant: string;
  /** Samples in which it could be judged for every target. */
  judged: number;
  /** Samples in which it was broken beyond its grace. */
  falseViolations: number;
  readonly messages: string[];
}

/** Looks at the lab at the pace of the patrol, until `end`. */
function watchShown(running: Running) {
  const now = () => Date.now();
  const settings = { labDir: running.labDir, profile: 'fast' as const, waits: DEFAULT_WAITS };
  const { room, close } = createTikvRoom(settings, { reasoner: NOBODY, now });
  const shown = SHOWN.map(({ name }): Shown => ({ invariant: name, judged: 0, falseViolations: 0, messages: [] }));
  let isOver = false;
  const watching = (async () => {
    for (let state = NOTHING_WATCHED; !isOver; ) {
      const began = now();
      const picture = await room.eyes.observe('vitals');
      const checks = SHOWN.map((invariant) => invariant.check(picture));
      const next = advance(state, checks, { subject: 'tikv', at: picture.at, ...room.sampling });
      state = next.state;
      for (const one of shown) count(one, checks, next.findings.active);
      await new Promise((later) => setTimeout(later, Math.max(0, began + room.sampling.sampleMs - now())));
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      await close();
      const promotable = shown.filter(({ judged, falseViolations }) => judged > 0 && falseViolations === 0);
      return { shown, promotable: promotable.map(({ invariant }) => invariant) };
    },
  };
}

const NOBODY: Reasoner = { name: 'none', reason: () => Promise.reject(new Error('a soak reasons about nothing')) };
const KEPT_MESSAGES = 5;

function count(shown: Shown, checks: readonly Check[], active: readonly Violation[]): void {
  const check = checks.find(({ invariant }) => invariant === shown.invariant);
  if (check && isWhole(check)) shown.judged += 1;
  const broken = active.filter(({ invariant }) => invariant === shown.invariant);
  if (broken.length === 0) return;
  shown.falseViolations += 1;
  for (const { message } of broken) if (shown.messages.length < KEPT_MESSAGES) shown.messages.push(message);
}

const deskOf = (running: Running): Promise<DeskState> =>
  running.client.workflow.getHandle(deskId('tikv')).query<DeskState>(QUERIES.desk);

/** A desk that has judged every filing invariant, and nothing is broken. */
async function quiet(running: Running): Promise<void> {
  const filing = TIKV.invariants.filter((i) => i.use === 'files').length;
  for (let waited = 0; waited < 120; waited += 1) {
    const last = (await deskOf(running).catch(() => null))?.lastReport;
    if (last?.quiet && last.judged >= filing) return;
    await new Promise((later) => setTimeout(later, 500));
  }
  throw new Error('the lab did not become quiet within a minute');
}

async function metric({ metricsUrl }: Running, name: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

await main();
