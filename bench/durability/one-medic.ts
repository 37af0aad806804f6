import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChaosJournal } from '../../chaos/journal.js';
import { injectFault } from '../../chaos/run.js';
import type { DeskState } from '../../src/domain/desk.js';
import type { TicketId } from '../../src/domain/ids.js';
import { isClosed, type Phase } from '../../src/domain/phases.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import { createArchive } from '../../src/evidence/archive.js';
import { bringUp, type Running } from '../../src/runtime/bring-up.js';
import type { ChildEvent } from '../../src/runtime/process/supervisor.js';
import { createTicketBook, type TicketBook } from '../../src/runtime/ticket-book.js';
import { TIKV } from '../../subjects/tikv/subject.js';
import { deskId, QUERIES } from '../../workflows/contract.js';

/** A whole Medic on a lab of its own, and what a trial asks of it. */
export interface OneMedic {
  readonly running: Running;
  readonly book: TicketBook;
  /** Deaths and returns of its processes so far. */
  readonly children: readonly ChildEvent[];
  /** Waits until every filing invariant was judged and nothing is broken or open. */
  quiet(): Promise<void>;
  kill(store: string): Promise<void>;
  startsOf(store: string): Promise<number>;
  /** Entries of the host's journal. */
  journal(): string[];
  /** An open ticket that is not among these. */
  nextTicket(known: readonly TicketId[]): Promise<TicketId>;
  event(ticket: TicketId, is: (event: TrailEvent) => boolean): Promise<TrailEvent>;
  /** Its closed phase, or `escalated`. */
  end(ticket: TicketId): Promise<Phase>;
}

const EVERY_MS = 250;
const PATIENCE_MS = 180_000;
const FILING = TIKV.invariants.filter(({ use }) => use === 'files').length;

/** Waits in seconds, so that an outage is longer than each of them. */
const WAITS = { remindMs: 5_000, expireMs: 20_000, gateRetryMs: 500, gateGiveUpMs: 10_000 };

export async function onMedic<T>(work: (medic: OneMedic) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'medic-durability-'));
  const children: ChildEvent[] = [];
  const options = { home, profile: 'fast', stores: 4, reasoner: { kind: 'rules' }, waits: WAITS, ports: {} } as const;
  const running = await bringUp({ ...options, stage: 'demo', report: (event) => children.push(event) });
  try {
    return await work(medicOf({ home, running, children }));
  } finally {
    await running.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

function medicOf({ home, running, children }: { home: string; running: Running; children: ChildEvent[] }): OneMedic {
  const book = createTicketBook({ client: running.client, archive: createArchive({ home }) });
  const desk = () =>
    running.client.workflow
      .getHandle(deskId('tikv'))
      .query<DeskState>(QUERIES.desk)
      .catch(() => null);
  return {
    running,
    book,
    children,
    async quiet() {
      await patiently('a quiet lab', async () => {
        const state = await desk();
        const { lastReport, tickets } = state ?? {};
        return (lastReport?.quiet && lastReport.judged >= FILING && tickets?.length === 0) || undefined;
      });
    },
    async kill(name) {
      const journal = openChaosJournal(join(home, 'chaos'));
      const target = { pick: 'named', name } as const;
      await injectFault({ fault: 'node_kill', labDir: running.labDir, target, journal });
    },
    startsOf: async (store) => (await running.lab.inspect(store)).starts,
    journal: () => namesIn(join(home, 'journal')),
    nextTicket: (known) =>
      patiently('a ticket', async () => (await desk())?.tickets.map(({ id }) => id).find((id) => !known.includes(id))),
    event: (ticket, is) =>
      patiently(`an event of ${ticket}`, async () => (await book.trail(ticket).catch(() => [])).find(is)),
    end: (ticket) =>
      patiently(`the end of ${ticket}`, async () => {
        const phase = (await book.status(ticket).catch(() => null))?.phase as Phase | undefined;
        const isOver = phase === 'escalated' || (phase && isClosed(phase) && (await book.archived(ticket)));
        return isOver ? phase : undefined;
      }),
  };
}

async function patiently<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((later) => setTimeout(later, EVERY_MS));
  }
  throw new Error(`not within ${PATIENCE_MS / 1_000} s: ${what}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
