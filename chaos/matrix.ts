import type { Lab } from '../subjects/tikv/lab/labd/client.js';
import { FAULTS, faultNamed, faultOf } from './faults.js';
import type { ChaosJournal } from './journal.js';
import { openOwnLab } from './own-lab.js';
import type { Injection } from './protocol.js';
import { healInjection, injectFault } from './run.js';
import { readPd } from './tikv/pd-api.js';
import { snapshotOf } from './tikv/snapshot.js';

/** One fault tried on a healthy lab that nobody operates. */
export interface MatrixRow {
  readonly fault: string;
  readonly target: string;
  /** The injector saw the effect. */
  readonly confirmed: boolean;
  /** Its own truth said so too, and the cluster was not as before; of `none`, that neither was so. */
  readonly effect: boolean;
  /** After healing its truth said that the fault is gone. */
  readonly gone: boolean;
  /** The cluster was healthy again and its snapshot the one from before. */
  readonly identical: boolean;
  readonly seconds: number;
  /** Why it cannot be injected into this lab; then nothing was tried. `null`: it can. */
  readonly skipped: string | null;
  /** Why a step failed; empty when all held. */
  readonly note: string;
}

const HEALTHY_WITHIN_MS = 60_000;

/** Injects and heals every fault that the lab supports, one after the other: can the injectors be believed? */
export async function runMatrix(
  lab: Lab,
  { journal, tell }: { readonly journal: ChaosJournal; readonly tell: (row: MatrixRow) => void },
): Promise<readonly MatrixRow[]> {
  const rows: MatrixRow[] = [];
  for (const { name } of FAULTS) {
    const row = await tryFault(name, lab, journal);
    rows.push(row);
    tell(row);
  }
  return rows;
}

const CLAIMS = ['confirmed', 'effect', 'gone', 'identical'] as const;

/** What does not hold of a fault that was tried; of one that was skipped, nothing. */
export const missingOf = (row: MatrixRow): readonly string[] =>
  row.skipped === null ? CLAIMS.filter((claim) => !row[claim]) : [];

export const rowHolds = (row: MatrixRow): boolean => missingOf(row).length === 0;

async function tryFault(name: string, lab: Lab, journal: ChaosJournal): Promise<MatrixRow> {
  const began = performance.now();
  const found: Found = { fault: name, target: '', ...NOTHING_SEEN, skipped: null, note: '' };
  try {
    await healthy(lab);
    await atRest(lab);
    const support = await faultNamed(name).supports(await openOwnLab(lab.dir));
    if (!support.supported) return { ...found, skipped: support.reason, seconds: 0 };
    const before = await snapshotOf(lab);
    const { injection } = await injectFault({
      fault: name,
      labDir: lab.dir,
      target: { pick: 'most-leaders' },
      journal,
    });
    Object.assign(found, { target: injection.target, confirmed: true });
    const during = await snapshotOf(lab).catch(() => 'PD does not answer');
    const isHarmed = (await faultOf(injection).truth(injection)) === 'present' && during !== before;
    found.effect = isHarmed === (faultOf(injection).targets !== 'nothing');
    await healInjection({ injection, journal });
    found.gone = await isGone(injection);
    await healthy(lab);
    found.identical = await isAsBefore(lab, before);
  } catch (error) {
    found.note = error instanceof Error ? error.message : String(error);
    await healWhatIsLeft(journal);
  }
  return { ...found, seconds: Math.round((performance.now() - began) / 100) / 10 };
}

/** A row as it comes to be. */
type Found = { -readonly [K in keyof Omit<MatrixRow, 'seconds'>]: MatrixRow[K] };

const NOTHING_SEEN = { confirmed: false, effect: false, gone: false, identical: false } as const;

const GONE_WITHIN_MS = 30_000;
const AS_BEFORE_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** A node that was started takes a moment to answer. */
async function isGone(injection: Injection): Promise<boolean> {
  const end = performance.now() + GONE_WITHIN_MS;
  while ((await faultOf(injection).truth(injection)) !== 'gone') {
    if (performance.now() >= end) return false;
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
  }
  return true;
}

/** What PD still moves because of the fault before would be taken for this one's. */
async function atRest(lab: Lab): Promise<void> {
  const end = performance.now() + AS_BEFORE_WITHIN_MS;
  while ((await readPd<readonly string[]>(lab.topology(), '/operators')).length > 0) {
    if (performance.now() >= end) throw new Error(`PD still has operators after ${AS_BEFORE_WITHIN_MS} ms`);
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
  }
}

/** A PD that has just started shows no schedulers for a while, and one that moves replicas shows learners. */
async function isAsBefore(lab: Lab, before: string): Promise<boolean> {
  const end = performance.now() + AS_BEFORE_WITHIN_MS;
  while ((await snapshotOf(lab).catch(() => 'PD does not answer')) !== before) {
    if (performance.now() >= end) return false;
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
  }
  return true;
}

/** One row that failed must not spoil the next. */
async function healWhatIsLeft(journal: ChaosJournal): Promise<void> {
  const left = journal.list().filter(({ state }) => state !== 'healed');
  for (const { injection } of left) await healInjection({ injection, journal }).catch(() => undefined);
}

async function healthy(lab: Lab): Promise<void> {
  await openOwnLab(lab.dir);
  const health = await lab.waitHealthy({ deadlineMs: HEALTHY_WITHIN_MS, leaders: 'anywhere' });
  if (!health.healthy) throw new Error(`not healthy within ${HEALTHY_WITHIN_MS} ms: ${health.missing.join('; ')}`);
}
