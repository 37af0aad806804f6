import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MedicError } from '../src/domain/errors.js';
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
  const write = (entry: JournalEntry) => writeEntry(fileOf(dir, entry.injection.id), entry);
  return {
    begun: (injection) => write({ injection, state: 'begun' }),
    injected: (injection) => write({ injection, state: 'injected' }),
    healed: (injection, healing) => write({ injection, state: 'healed', healing }),
    get(id) {
      if (names(dir).includes(nameOf(id))) return readEntry(fileOf(dir, id));
      throw new MedicError(
        'MEDIC_CHAOS_UNKNOWN_FAULT',
        `no injection ${id} is recorded`,
        'List them with `./medic chaos list`.',
      );
    },
    list: () =>
      names(dir)
        .map((name) => readEntry(join(dir, name)))
        .sort((a, b) => b.injection.at.localeCompare(a.injection.at)),
  };
}

function readEntry(file: string): JournalEntry {
  return JSON.parse(readFileSync(file, 'utf8')) as JournalEntry;
}

/** In place at once: a crash leaves the entry before or this one. */
function writeEntry(file: string, entry: JournalEntry): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(entry, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function fileOf(dir: string, id: string): string {
  return join(dir, nameOf(id));
}

/** An id becomes a file name and may have been typed. */
function nameOf(id: string): string {
  return `${id.replaceAll(/[^\w-]/g, '_')}.json`;
}

function names(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
