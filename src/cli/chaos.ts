import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FAULTS, faultOf } from '../../chaos/faults.js';
import { openChaosJournal } from '../../chaos/journal.js';
import { type MatrixRow, missingOf, rowHolds, runMatrix } from '../../chaos/matrix.js';
import type { TargetWish } from '../../chaos/protocol.js';
import { healInjection, injectFault } from '../../chaos/run.js';
import { launchLab } from '../../subjects/tikv/lab/labd/launch.js';
import { EXIT } from './exit-codes.js';
import { labDirOf } from './lab-dir.js';
import { printJson, type Screen } from './screen.js';
import { printTable } from './table.js';

interface ChaosOptions {
  readonly home: string;
  readonly json?: boolean;
}

/** The journal lies beside the lab, not in it: the operator under test does not look there. */
const journalOf = (home: string) => openChaosJournal(join(home, 'chaos'));

/** `medic chaos list`: the faults there are, and what was injected. */
export async function listFaults({ home, json }: ChaosOptions, screen: Screen): Promise<number> {
  const faults = FAULTS.map(({ name, describe, targets }) => ({ name, targets, describe }));
  const injections = journalOf(home).list();
  if (json) {
    printJson(screen, 'chaos', { faults, injections });
    return EXIT.ok;
  }
  printTable(screen, {
    heads: ['FAULT', 'TARGETS', 'WHAT IT DOES'],
    rows: faults.map((f) => [f.name, f.targets, f.describe]),
  });
  if (injections.length === 0) return EXIT.ok;
  screen.out('');
  printTable(screen, {
    heads: ['INJECTION', 'TARGET', 'STATE', 'AT'],
    rows: injections.map(({ injection, state }) => [injection.id, injection.target, state, injection.at]),
  });
  return EXIT.ok;
}

/** `medic chaos inject FAULT [--target NODE | --seed N]` */
export async function inject(
  fault: string,
  options: ChaosOptions & { readonly target?: string; readonly seed?: number },
  screen: Screen,
): Promise<number> {
  const { injection, confirmation } = await injectFault({
    fault,
    labDir: labDirOf(options.home),
    target: wishOf(options),
    journal: journalOf(options.home),
  });
  if (options.json) printJson(screen, 'injection', { injection, confirmation });
  else screen.out(`${injection.id} ${injection.target}: ${confirmation.seen}`);
  return EXIT.ok;
}

export function wishOf({ target, seed }: { readonly target?: string; readonly seed?: number }): TargetWish {
  if (target !== undefined) return { pick: 'named', name: target };
  return seed === undefined ? { pick: 'most-leaders' } : { pick: 'seeded', seed };
}

/**
 * `medic chaos matrix`: every fault on a fresh lab of its own that nobody operates, injected, confirmed and healed. Exit 3
 * when a row does not hold.
 */
export async function matrix({ home, json }: ChaosOptions, screen: Screen): Promise<number> {
  const folder = join(home, 'matrix');
  rmSync(folder, { recursive: true, force: true });
  const launched = launchLab({ dir: join(folder, 'lab') });
  try {
    const rows = await runMatrix(await launched.ready, {
      journal: openChaosJournal(join(folder, 'chaos')),
      tell: (row) =>
        screen.err(
          `${row.fault} ${row.target}: ${row.skipped ? 'skipped' : rowHolds(row) ? 'holds' : 'does not hold'}`,
        ),
    });
    if (json) printJson(screen, 'chaos-matrix', { rows });
    else
      printTable(screen, {
        heads: ['FAULT', 'TARGET', 'HOLDS', 'SECONDS', 'NOTE'],
        rows: rows.map((row) => [row.fault, row.target, holdsWords(row), row.seconds.toFixed(1), noteOf(row)]),
      });
    return rows.every(rowHolds) ? EXIT.ok : EXIT.findings;
  } finally {
    await launched.stop();
  }
}

/** `yes`; else what does not: `no: effect, gone` */
function holdsWords(row: MatrixRow): string {
  if (row.skipped !== null) return '-';
  return rowHolds(row) ? 'yes' : `no: ${missingOf(row).join(', ')}`;
}

const noteOf = ({ skipped, note }: MatrixRow): string => (skipped === null ? note : `skipped: ${skipped}`);

/** `medic chaos confirm|truth|heal ID`; `truth` exits 3 while the fault is present or cannot be told. */
export async function askInjection(
  verb: 'confirm' | 'truth' | 'heal',
  id: string,
  { home, json }: ChaosOptions,
  screen: Screen,
): Promise<number> {
  const journal = journalOf(home);
  const { injection } = journal.get(id);
  const fault = faultOf(injection);
  const say = (value: unknown, line: string) => (json ? printJson(screen, verb, value) : screen.out(line));
  switch (verb) {
    case 'confirm': {
      const seen = await fault.confirm(injection);
      say(seen, `${id} ${seen.confirmed ? 'confirmed' : 'not confirmed'}: ${seen.seen}`);
      return seen.confirmed ? EXIT.ok : EXIT.findings;
    }
    case 'truth': {
      const truth = await fault.truth(injection);
      say({ truth }, `${id} ${truth}`);
      return truth === 'gone' ? EXIT.ok : EXIT.findings;
    }
    case 'heal': {
      const healing = await healInjection({ injection, journal });
      say(healing, `${id} ${healing.outcome}: ${healing.seen}`);
      return EXIT.ok;
    }
  }
}
