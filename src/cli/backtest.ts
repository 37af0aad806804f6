import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadAgent } from '../config/agent.js';
import { loadPolicy } from '../config/policy.js';
import { readConfigText } from '../config/yaml-file.js';
import { MedicError } from '../domain/errors.js';
import { type TicketId, ticketWorkflowId } from '../domain/ids.js';
import { microsOf } from '../domain/money.js';
import type { BudgetPort } from '../domain/reservation.js';
import { counted } from '../domain/story.js';
import { type ArchivedTicket, createArchive } from '../evidence/archive.js';
import { unpackBundle } from '../evidence/bundle.js';
import { createFileStore } from '../evidence/file-store.js';
import { createOverlayStore } from '../evidence/overlay-store.js';
import type { EvidenceStore } from '../evidence/store.js';
import type { Reasoner } from '../reasoner/reasoner.js';
import { capBudget } from '../runtime/capped-budget.js';
import { type ContentFiles, contentFiles } from '../runtime/content.js';
import { type BacktestRow, backtestPolicy, backtestPrompt, type PastTicket } from '../runtime/whatif/backtest.js';
import { knownRuns } from '../runtime/whatif/known-runs.js';
import { readRecording } from '../runtime/whatif/recording.js';
import type { KnownRuns } from '../runtime/whatif/rejudge.js';
import { EXIT } from './exit-codes.js';
import { once } from './once.js';
import { printJson, type Screen } from './screen.js';
import { type Session, withSession } from './session.js';
import { printTable } from './table.js';
import { thinkingOf } from './thinking.js';

export interface BacktestOptions {
  readonly home: string;
  /** One of the two. */
  readonly policy?: string;
  readonly prompt?: string;
  /** USD that all calls of one backtest may cost. */
  readonly ceiling: number;
  readonly json?: boolean;
}

/**
 * `medic backtest --policy FILE | --prompt FILE [BUNDLE...]`: what the archived tickets, and those in the files, would have been
 * ruled or thought. Exit 3 where something would have changed; what cannot be told is listed and counts as no change.
 */
export async function backtest(files: readonly string[], options: BacktestOptions, screen: Screen): Promise<number> {
  if ((options.policy === undefined) === (options.prompt === undefined))
    throw new MedicError('MEDIC_USAGE', 'a backtest needs either --policy FILE or --prompt FILE');
  const rows = await withSession({ home: options.home }, async (session) => {
    const past = await pastTickets(files, options);
    const test = options.policy === undefined ? byPrompt(options, session) : byPolicy(options.policy);
    const all: BacktestRow[] = [];
    for (const one of past) all.push(...named(one, 'missing' in one ? [unread(one)] : await test(one)));
    return all;
  });
  const changed = rows.filter(({ differs }) => differs).length;
  if (options.json) printJson(screen, 'backtest', rows);
  else printRows(screen, rows);
  return changed > 0 ? EXIT.findings : EXIT.ok;
}

function printRows(screen: Screen, rows: readonly BacktestRow[]): void {
  const told = rows.filter(({ differs, now }) => differs || now === null);
  printTable(screen, {
    heads: ['TICKET', 'TURN', 'WHAT', 'RECORDED', 'NOW', 'WHY'],
    rows: told.map((row) => [
      row.ticket,
      String(row.turn),
      row.what,
      row.recorded,
      row.now ?? 'cannot tell',
      row.reason,
    ]),
    cut: ['RECORDED', 'NOW', 'TICKET'],
  });
  const tickets = new Set(rows.map(({ ticket }) => ticket)).size;
  const changed = rows.filter(({ differs }) => differs).length;
  const open = rows.filter(({ now }) => now === null).length;
  const usd = rows.reduce((sum, row) => sum + row.usd, 0);
  screen.err(
    `${counted(rows.length, 'decision')} of ${counted(tickets, 'ticket')}: ${changed} would change, ${open} cannot be told, ${rows.length - changed - open} stay; ${usd.toFixed(4)} $`,
  );
}

interface Past extends PastTicket {
  readonly name: string;
  readonly evidence: EvidenceStore;
  runs(): Promise<KnownRuns>;
}

/** `missing`: it cannot be tested at all. */
type PastOrMissing = Past | { readonly name: string; readonly missing: string };

const named = ({ name }: PastOrMissing, rows: readonly BacktestRow[]): BacktestRow[] =>
  rows.map((row) => ({ ...row, ticket: name }));

const unread = ({ name, missing }: { readonly name: string; readonly missing: string }): BacktestRow => ({
  ticket: name,
  turn: 0,
  what: '-',
  recorded: '-',
  now: null,
  differs: false,
  reason: missing,
  usd: 0,
});

async function pastTickets(files: readonly string[], { home }: BacktestOptions): Promise<PastOrMissing[]> {
  const archive = createArchive({ home: resolve(home) });
  const evidence = createFileStore({ home: resolve(home) });
  const archived: ArchivedTicket[] = [];
  for (const { ticket } of await archive.list()) archived.push((await archive.load(ticket.id)) as ArchivedTicket);
  const runs = once(() => knownRuns({ archive, own: [] }));
  const here = archived.map((one) => past(one.ticket.id, one, { evidence, runs }));
  return [...here, ...(await Promise.all(files.map(fromFile)))];
}

async function fromFile(file: string): Promise<PastOrMissing> {
  const bytes = await readFile(file).catch((failure: Error) => {
    throw new MedicError('MEDIC_BUNDLE_UNREADABLE', failure.message);
  });
  const { archived, bodies } = await unpackBundle(bytes, file);
  const runs = once(async () => knownRuns({ archive: null, own: [recordingOf(archived)] }));
  return past(`${archived.ticket.id} (${file})`, archived, { evidence: createOverlayStore({ bodies }), runs });
}

interface Around extends Pick<Past, 'evidence'> {
  /** Over what is known beside the ticket. */
  runs(): Promise<(of: TicketId) => KnownRuns>;
}

function past(name: string, archived: ArchivedTicket, { evidence, runs }: Around): PastOrMissing {
  if (archived.history === null) return { name, missing: 'its history is not in the archive' };
  const { id } = archived.ticket;
  return { name, recording: recordingOf(archived), evidence, runs: async () => (await runs())(id) };
}

const recordingOf = ({ ticket: { id }, history }: ArchivedTicket) =>
  readRecording({ history: history ?? '', workflowId: ticketWorkflowId(id), source: id });

type Test = (one: Past) => Promise<BacktestRow[]>;

function byPolicy(file: string): Test {
  const rules = once(() => Promise.all([loadPolicy(file), loadAgent(contentFiles().agentFile)]));
  return async ({ runs, ...one }) => {
    const [{ policy }, agent] = await rules();
    return backtestPolicy(one, { policy, agent, runs });
  };
}

function byPrompt({ home, prompt = '', ceiling }: BacktestOptions, session: Session): Test {
  let refused = '';
  let capped: BudgetPort | undefined;
  const guard = (budget: BudgetPort) =>
    (capped ??= capBudget(budget, { micros: microsOf(ceiling), onRefused: (reason) => (refused = reason) }));
  const otherwise = nobody(() => refused || 'no model could be asked');
  const files = once(() => filesWith(prompt));
  return async (one) => {
    // Conversations that are thought anew are not kept.
    const evidence = createOverlayStore({ below: one.evidence });
    const reasoner = { kind: 'claude' } as const;
    const thinking = await thinkingOf({ reasoner, home, session, evidence, files: await files(), guard, otherwise });
    const asked = process.env.ANTHROPIC_API_KEY ? thinking.reasoner : nobody(() => 'ANTHROPIC_API_KEY is not set');
    return backtestPrompt(one, { ...thinking, reasoner: asked, evidence });
  };
}

/** Refuses to think: rules in the place of a model would say nothing about its prompt. */
const nobody = (why: () => string): Reasoner => ({
  name: 'nobody',
  reason: async () => {
    throw new MedicError('MEDIC_REASONER_UNAVAILABLE', why());
  },
});

/** The file takes the place of the one of its kind: only an agent names its actions. */
async function filesWith(prompt: string): Promise<Partial<ContentFiles>> {
  const { text } = await readConfigText(prompt);
  const [, head = ''] = text.split(/^---$/m);
  return /^actions:/m.test(head) ? { agentFile: prompt } : { systemPromptFile: prompt };
}
