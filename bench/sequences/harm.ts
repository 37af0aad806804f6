import { join } from 'node:path';
import { openChaosJournal } from '../../chaos/journal.js';
import type { TargetWish } from '../../chaos/protocol.js';
import { healInjection, injectFault } from '../../chaos/run.js';
import { MedicError } from '../../src/domain/errors.js';
import type { Lab } from '../../subjects/tikv/lab/labd/client.js';
import type { Harm } from './scenes.js';

/** What was done, and how it is undone. */
export interface Done {
  /** In words that name the store that was hit. */
  readonly what: string;
  /** Epoch ms. */
  readonly at: number;
  heal(): Promise<void>;
}

export interface HarmOptions {
  readonly lab: Lab;
  /** The store that leads most. */
  readonly most: string;
  readonly target: TargetWish;
  readonly folder: string;
}

const nothing = async () => {};

/** A store that is a Tombstone is not taken back: the real PD answered 410, too. */
function tooLate(error: unknown): void {
  if (!(error instanceof MedicError && error.code === 'MEDIC_CHAOS_TARGET')) throw error;
}

/** Does it; a restart is over when the store is started again. */
export async function doHarm(harm: Harm, { lab, most, target, folder }: HarmOptions): Promise<Done> {
  const at = Date.now();
  if (harm.kind === 'nothing') return { what: 'no fault', at, heal: nothing };
  if (harm.kind === 'restart') {
    await lab.stop(most);
    await lab.start(most);
    return { what: `SIGTERM of ${most}, started again`, at, heal: nothing };
  }
  const journal = openChaosJournal(join(folder, 'chaos'));
  const { injection } = await injectFault({ fault: harm.name, labDir: lab.dir, target, journal });
  return {
    what: `${harm.name} on ${injection.target}`,
    at: Date.parse(injection.at),
    heal: async () => {
      await healInjection({ injection, journal }).catch(tooLate);
    },
  };
}
