import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ticketId } from '../../../src/domain/ids.js';
import { createArchive } from '../../../src/evidence/archive.js';
import { createSpendingJournal } from '../../../src/evidence/spending-journal.js';
import { packageRoot } from '../../../src/runtime/package-root.js';
import { openInstance } from '../../../src/runtime/process/instance.js';
import { archivedKill } from '../../support/killed-store.js';
import { silentServer } from '../../support/silent-server.js';
import { temporaryFolder } from '../runtime/process/temporary.js';
import { verbs } from './verbs.js';

const typed = verbs(['budget', 'bundle', 'doctor', 'messages', 'replay', 'show', 'tickets', 'trail']);
const HISTORY = join(packageRoot(), 'tests', 'histories', 'worker-killed-while-investigating.json');
/** 5 s until it is given up, and what a loaded machine takes on top. */
const FEW_SECONDS_MS = 15_000;

/** A home with an instance whose Temporal does not answer, one archived ticket, and one paid call in its journal. */
async function homeOf(address: string): Promise<string> {
  const home = temporaryFolder();
  const now = new Date().toISOString();
  await createArchive({ home }).save(archivedKill({ history: readFileSync(HISTORY, 'utf8') }));
  const journal = createSpendingJournal({ home });
  const reserved = { id: 'a', ticket: ticketId('tikv', 7), agent: 'triage', model: 'm', micros: 300_000 };
  await journal.write({ at: now, reserved });
  await journal.write({ at: now, settled: { id: 'a', outcome: { kind: 'used', micros: 120_000 } } });
  const instance = openInstance({ home });
  instance.publish({ address, namespace: 'default', taskQueuePrefix: 'medic', ports: {}, processes: {} });
  return home;
}

async function medic(...argv: string[]) {
  const began = performance.now();
  const { code, out, err } = await typed(...argv);
  return { code, out: out.join('\n'), err, tookMs: performance.now() - began };
}

/** One in a process at a time. */
const REPLAY: [string[], RegExp] = [['replay', 'tikv/7'], /filed/];

/** All at once: each waits for the same silence. */
async function expectWordsOf(address: string, more: readonly [string[], RegExp][] = []): Promise<void> {
  const home = await homeOf(address);
  const reading: [string[], RegExp][] = [
    [['tickets', '--all'], /^tikv\/7\tresolved\t/],
    [['show', '7'], /^tikv\/7 {2}resolved/],
    [['trail', 'tikv/7'], /tikv\/7 filed/],
    [['watch', 'tikv/7'], /tikv\/7 filed/],
    ...more,
    [['export', 'tikv/7', join(home, 'seven.gz')], /seven\.gz$/],
    [['budget'], /^month\t\d{4}-\d\d\t0\.1200\t/],
  ];
  const [unknown, hint, doctor, ...ends] = await Promise.all([
    medic('show', 'tikv/8', '--home', home),
    medic('hint', 'tikv/7', 'look', '--home', home),
    medic('doctor', '--home', home),
    ...reading.map(async ([argv, shows]) => ({ argv, shows, ...(await medic(...argv, '--home', home)) })),
  ]);
  const only = /^only the (archive|journal of what was spent) was read: no Temporal answers at /;
  for (const { argv, shows, code, out, err, tookMs } of ends) {
    const what = { argv, code, out, why: err.find((line) => only.test(line)) };
    expect(what).toEqual({ argv, code: 0, out: expect.stringMatching(shows), why: expect.stringContaining(address) });
    expect(tookMs).toBeLessThan(FEW_SECONDS_MS);
  }
  expect(unknown).toMatchObject({
    code: 1,
    err: [expect.stringMatching(/^MEDIC_TICKET_UNKNOWN /), expect.any(String)],
  });
  expect(unknown.err[0]).toContain(`only the archive of ${home} was read: no Temporal answers at ${address}`);
  expect(hint).toMatchObject({
    code: 4,
    err: [expect.stringMatching(/^MEDIC_TEMPORAL_UNREACHABLE/), expect.any(String)],
  });
  expect(doctor).toMatchObject({
    code: 4,
    out: expect.stringMatching(/^temporal\tunreachable\tMEDIC_TEMPORAL_UNREACHABLE /m),
  });
}

describe('a Temporal server that does not answer', () => {
  it('frozen or gone, keeps no verb from showing what the archive has, and each says within seconds what it did not reach', async () => {
    const [frozen, gone] = [await silentServer(), await silentServer()];
    gone.end();
    try {
      await Promise.all([expectWordsOf(frozen.address, [REPLAY]), expectWordsOf(gone.address)]);
    } finally {
      frozen.end();
    }
  });
});
