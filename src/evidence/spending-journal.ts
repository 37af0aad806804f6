import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monthBefore, monthOf } from '../domain/budget-books.js';
import type { Instant } from '../domain/ids.js';
import type { Reservation, Settlement } from '../domain/reservation.js';
import { sayingFull } from './write-atomically.js';

/** One line of the journal: a granted reservation, or what became of one. */
export type Spending =
  | { readonly at: Instant; readonly reserved: Reservation }
  | { readonly at: Instant; readonly settled: Settlement };

/** What paid calls cost, on disk, apart from Temporal: a demo begins with an empty database and must not get new money. */
export interface SpendingJournal {
  /** On disk when it returns. Throws `MEDIC_DISK_FULL`. */
  write(spending: Spending): Promise<void>;
  /** Of the month of `now` and the one before, in the order in which it was written. */
  read(now: Instant): Promise<readonly Spending[]>;
}

/** Keeps `<home>/spending/2026-11.jsonl`. A last line that a crash cut off is left out: its call was never sent. */
export function createSpendingJournal({ home }: { readonly home: string }): SpendingJournal {
  const folder = join(home, 'spending');
  const fileOf = (month: string) => join(folder, `${month}.jsonl`);

  return {
    async write(spending) {
      const file = fileOf(monthOf(spending.at));
      await sayingFull(file, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await appendFile(file, `${await lineBreak(file)}${JSON.stringify(spending)}\n`, { mode: 0o600, flush: true });
      });
    },
    async read(now) {
      const month = monthOf(now);
      const months = [monthBefore(month), month];
      const texts = await Promise.all(months.map((month) => textOf(fileOf(month))));
      return texts.flatMap((text) => text.split('\n').flatMap(parsed));
    },
  };
}

/** After a line that a crash or a full disk cut off; what follows it must not be lost, too. */
async function lineBreak(file: string): Promise<string> {
  const text = await textOf(file);
  return text === '' || text.endsWith('\n') ? '' : '\n';
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

function parsed(line: string): Spending[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Spending];
  } catch {
    return [];
  }
}
