import { resolve } from 'node:path';
import { MedicError } from '../domain/errors.js';
import { counted } from '../domain/story.js';
import { createFileStore } from '../evidence/file-store.js';
import { parseHistory } from '../runtime/history.js';
import { recordedThoughts } from '../runtime/recorded-thoughts.js';
import { type RethinkDeps, type Rethought, rethink } from '../runtime/rethink.js';
import type { WorkerSettings } from '../runtime/worker/settings.js';
import { EXIT } from './exit-codes.js';
import { checkReasoner } from './reasoner.js';
import { printJson, type Screen } from './screen.js';
import { type Session, withSession } from './session.js';
import { printTable } from './table.js';
import { thinkingOf } from './thinking.js';

export interface PromptsDiffOptions {
  readonly home: string;
  readonly reasoner: WorkerSettings['reasoner'];
  readonly json?: boolean;
}

type Row = Rethought & { readonly ticket: string };

/**
 * `medic prompts diff TICKET...`: thinks the recorded turns of archived tickets again with the prompt of the moment and
 * lists where the next step would be of another kind or about something else. Exit 3 when one is.
 */
export async function promptsDiff(
  tickets: readonly string[],
  options: PromptsDiffOptions,
  screen: Screen,
): Promise<number> {
  await checkReasoner(options.reasoner, process.env);
  const rows = await withSession({ home: options.home }, async (session) => {
    const deps = await rethinkDeps(options, session);
    const all: Row[] = [];
    for (const text of tickets) all.push(...(await rowsOf(text, session, deps)));
    return all;
  });
  const differ = rows.filter((row) => row.differs);
  if (options.json) printJson(screen, 'prompts-diff', rows);
  else {
    printTable(screen, {
      heads: ['TICKET', 'TURN', 'RECORDED', 'NOW', 'COST', 'NOTE'],
      rows: differ.map((row) => [
        row.ticket,
        String(row.turn),
        words(row.recorded),
        words(row.now),
        `${row.usd.toFixed(4)} $`,
        row.note,
      ]),
      cut: ['RECORDED', 'NOW'],
    });
    screen.err(tally(rows, differ.length));
  }
  return differ.length > 0 ? EXIT.findings : EXIT.ok;
}

const words = (step: Row['now']): string => (step === null ? 'not thought' : `${step.kind} ${step.target}`);

function tally(rows: readonly Row[], differ: number): string {
  const free = rows.filter(({ source }) => source === 'recorded').length;
  const usd = rows.reduce((sum, row) => sum + row.usd, 0);
  return `${counted(rows.length, 'turn')}, ${differ} differ; ${free} by the same prompt (free), ${rows.length - free} thought again for ${usd.toFixed(4)} $`;
}

async function rowsOf(text: string, { book }: Session, deps: RethinkDeps): Promise<Row[]> {
  const ticket = await book.resolve(text);
  const archived = await book.archived(ticket);
  if (!archived?.history) throw new MedicError('MEDIC_TICKET_UNKNOWN', `${ticket} is not archived with its history`);
  const turns = recordedThoughts(parseHistory(archived.history, ticket));
  return (await rethink(turns, deps)).map((row) => ({ ...row, ticket }));
}

async function rethinkDeps({ home, reasoner }: PromptsDiffOptions, session: Session): Promise<RethinkDeps> {
  const evidence = createFileStore({ home: resolve(home) });
  return { ...(await thinkingOf({ reasoner, home, session, evidence })), evidence };
}
