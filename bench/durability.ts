import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type BasisResult, busyBasis } from './durability/basis.js';
import { type OneMedic, onMedic } from './durability/one-medic.js';
import { OUTAGES, type OutageResult, throughOutage } from './durability/outages.js';

/*
 * A whole Medic through outages that last longer than each of its waits, each in the middle of a ticket: Temporal stands still, the
 * worker does, and everything with the lab does, as on a laptop that sleeps (two fifths of the minutes). Then a healthy, busy
 * lab for twice the minutes, in which a proposal must rest on one and the same basis.
 *
 *     node dist/bench/durability.js [--minutes 5] [--only temporal,worker,sleep,basis] [--out FILE] [--note TEXT]
 *
 * Exit 1 when a ticket did not end resolved and proven, a repair ran other than once, a trail has a gap, or there were two bases.
 */

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      only: { type: 'string', default: 'temporal,worker,sleep,basis' },
      out: { type: 'string', default: 'bench/results/durability.json' },
      note: { type: 'string' },
    },
  });
  const loadBefore = loadavg()[0];
  const found = await onMedic((medic) =>
    trials(medic, { minutes: Number(values.minutes), only: values.only.split(',') }),
  );
  const holds = [...found.outages, ...found.basis].every((trial) => trial.holds);
  const result = {
    bench: 'durability',
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    profile: 'fast',
    lab: 'stand-in, 3 PDs, 4 stores, 24 regions',
    machine: { cores: availableParallelism(), node: process.version, platform: process.platform, loadBefore },
    note: values.note,
    stopped: 'by SIGSTOP, with all that they had started; never the parent of the instance, which is the bench itself',
    bounds: { end: 'resolved', proof: 'healthy', starts: 1, journal: 1, trailWhole: true, hashes: 1 },
    holds,
    ...found,
  };
  mkdirSync(dirname(values.out), { recursive: true });
  writeFileSync(values.out, `${JSON.stringify(result, undefined, 2)}\n`);
  process.stdout.write(`${JSON.stringify({ holds, ...found })}\n`);
  process.exitCode = holds ? 0 : 1;
}

async function trials(medic: OneMedic, { minutes, only }: { minutes: number; only: readonly string[] }) {
  const outages: OutageResult[] = [];
  for (const outage of OUTAGES.filter(({ name }) => only.includes(name))) {
    const known = outages.map(({ ticket }) => ticket);
    outages.push(await throughOutage(medic, outage, { minutes, known }));
  }
  const basis: BasisResult[] = [];
  if (only.includes('basis')) {
    await medic.quiet();
    basis.push(await busyBasis(medic.running, minutes * 2));
  }
  return { outages, basis, processesThatDied: medic.children.map(({ name, what }) => `${name} ${what}`) };
}

await main();
