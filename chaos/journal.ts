import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MedicError } from '../src/domain/errors.js';
import { readJson, writeWhole } from '../subjects/tikv/lab/labd/files.js';
import type { Healing, Injection } from './protocol.js';

/** An injection and what became of it. */
export interface JournalEntry {
  readonly injection: Injection;
  /** `begun`: recorded before the harm, so after a crash the harm may or may not be there. */
  readonly state: 'begun' | 'injected' | 'healed';
  readonly healing?: Healing;
}

/** Every injection of an instance, one file each. */
export interface ChaosJournal {
  begun(injection: Injection): void;
  injected(injection: Injection): void;
  healed(injection: Injection, healing: Healing): void;
  /** @throws MedicError `MEDIC_CHAOS_UNKNOWN_FAULT` when there is no such id */
  get(id: string): JournalEntry;
  /** Newest first. */
  list(): JournalEntry[];
}

/**
 * @param dir - outside the lab's folder: the operator under test must not be able to read there what was done to it
 */
export function openChaosJournal(dir: string): ChaosJournal {
  const write = (entry: JournalEntry) =>
    writeWhole({
      file: fileOf(dir, entry.injection.id),
      text: `${JSON.stringify(entry, undefined, 2)}\n`,
      mode: 0o600,
    });
  return {
    begun: (injection) => write({ injection, state: 'begun' }),
    injected: (injection) => write({ injection, state: 'injected' }),
    healed: (injection, healing) => write({ injection, state: 'healed', healing }),
    get(id) {
      const entry = readJson(fileOf(dir, id)) as JournalEntry | undefined;
      if (entry) return entry;
      throw new MedicError(
        'MEDIC_CHAOS_UNKNOWN_FAULT',
        `no injection ${id} is recorded`,
        'List them with `./medic chaos list`.',
      );
    },
    list: () =>
      files(dir)
        .map((file) => readJson(join(dir, file)) as JournalEntry)
        .sort((a, b) => b.injection.at.localeCompare(a.injection.at)),
  };
}

function fileOf(dir: string, id: string): string {
  // An id becomes a file name and may have been typed.
  return join(dir, `${id.replaceAll(/[^\w-]/g, '_')}.json`);
}

function files(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
