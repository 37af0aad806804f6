import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { openChaosJournal } from '../../chaos/journal.js';
import type { TargetWish } from '../../chaos/protocol.js';
import { injectFault } from '../../chaos/run.js';
import type { DeskState } from '../../src/domain/desk.js';
import { type TicketId, ticketWorkflowId } from '../../src/domain/ids.js';
import { isClosed, type Phase } from '../../src/domain/phases.js';
import type { TrailEvent } from '../../src/domain/trail.js';
import { createArchive } from '../../src/evidence/archive.js';
import { type BringUpOptions, bringUp, type Running } from '../../src/runtime/bring-up.js';
import { fetchHistoryText } from '../../src/runtime/history.js';
import { packageRoot } from '../../src/runtime/package-root.js';
import type { ChildEvent } from '../../src/runtime/process/supervisor.js';
import { createTicketBook, type TicketBook } from '../../src/runtime/ticket-book.js';
import { deskId, QUERIES, type TicketResult } from '../../workflows/contract.js';
import { scrubHistory } from './scrub-history.js';
import { until } from './until.js';

/** A whole Medic of its own for the tests of one file: real Temporal, lab and worker as processes. */
export interface TestMedic {
  readonly running: Running;
  readonly home: string;
  readonly book: TicketBook;
  /** Deaths and returns of children so far. */
  readonly events: readonly ChildEvent[];
  desk(): Promise<DeskState>;
  /** Waits until nothing is violated and nothing is open. */
  quiet(): Promise<void>;
  kill(target: TargetWish): Promise<string>;
  /** The ticket that follows, once it is filed. */
  nextTicket(): Promise<TicketId>;
  /** Waits for an event of a ticket. */
  event(ticket: TicketId, what: string, is: (event: TrailEvent) => boolean): Promise<TrailEvent>;
  result(ticket: TicketId): Promise<TicketResult>;
  /** SIGKILL to a child by name; returns when its parent has noticed. */
  killChild(name: 'worker' | 'temporal'): Promise<void>;
  /** Entries of the host's journal. */
  journal(): string[];
  /** With MEDIC_RECORD_HISTORIES=FOLDER in the environment: writes the ticket's history there, fit to be committed. */
  record(name: string, ticket: TicketId): Promise<void>;
}

/** A loaded machine may take long; what is waited for is the condition. */
const PATIENCE_MS = 90_000;
/** Each look is a query that a worker answers: more often, and the looking slows down what is looked at. */
const LOOK_MS = 200;
/** Something is to be done right after such an event. */
const EVENT_LOOK_MS = 100;

export interface TestMedicOptions {
  readonly stores?: number;
  readonly reasoner?: BringUpOptions['reasoner'];
  /** On top of this process's environment, asked for when the worker is started. */
  readonly workerEnv?: () => NodeJS.ProcessEnv;
}

export function withMedic(options: TestMedicOptions = {}): TestMedic {
  const home = mkdtempSync(join(tmpdir(), 'medic-e2e-'));
  const events: ChildEvent[] = [];
  const seen = new Set<TicketId>();
  let running: Running | undefined;
  const need = (): Running => {
    if (!running) throw new Error('Medic is not up before beforeAll has run');
    return running;
  };
  const book = () => createTicketBook({ client: need().client, archive: createArchive({ home }) });
  const desk = () => need().client.workflow.getHandle(deskId('tikv')).query<DeskState>(QUERIES.desk);

  beforeAll(async () => {
    running = await bringUp({
      home,
      stage: 'demo',
      profile: 'fast',
      stores: options.stores ?? 4,
      reasoner: options.reasoner ?? { kind: 'rules' },
      workerEnv: { ...process.env, ...options.workerEnv?.() },
      ports: {},
      waits: { gateRetryMs: 500 },
      report: (event) => events.push(event),
    });
  }, 180_000);
  afterAll(async () => {
    await running?.stop();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  return {
    home,
    events,
    get running() {
      return need();
    },
    get book() {
      return book();
    },
    desk,
    async quiet() {
      let last: unknown;
      await until(
        'nothing is violated and no ticket is open',
        async () => {
          const state = await desk().catch(() => undefined);
          last = state && {
            report: state.lastReport,
            tickets: state.tickets.map((t) => t.id),
          };
          const judged = state?.lastReport?.judged ?? 0;
          return state?.lastReport?.quiet && judged >= FILING && state.tickets.length === 0 ? true : undefined;
        },
        { deadlineMs: PATIENCE_MS, everyMs: LOOK_MS, seen: () => last },
      );
    },
    async kill(target) {
      const journal = openChaosJournal(join(home, 'chaos'));
      const { injection } = await injectFault({ fault: 'node_kill', labDir: need().labDir, target, journal });
      return injection.target;
    },
    async nextTicket() {
      const id = await until(
        'a new ticket',
        async () =>
          (await desk().catch(() => undefined))?.tickets
            .filter((t) => !t.quiet)
            .map((t) => t.id)
            .find((t) => !seen.has(t)),
        { deadlineMs: PATIENCE_MS, everyMs: LOOK_MS },
      );
      seen.add(id);
      return id;
    },
    async event(ticket, what, is) {
      let last: unknown;
      return until(
        `${ticket}: ${what}`,
        async () => {
          const events_ = await book()
            .trail(ticket)
            .catch(() => []);
          last = events_.map((e) => e.type);
          return events_.find(is);
        },
        { deadlineMs: PATIENCE_MS, everyMs: EVENT_LOOK_MS, seen: () => last },
      );
    },
    async result(ticket) {
      // The client's wait rejects while the server is down; the ticket does not mind.
      const ended = () =>
        need()
          .client.workflow.getHandle(ticketWorkflowId(ticket))
          .result()
          .catch(() => undefined) as Promise<TicketResult | undefined>;
      return until(
        `${ticket} to end`,
        async () => {
          const status = await book()
            .status(ticket)
            .catch(() => undefined);
          if (status?.phase === 'escalated') throw new Error(`${ticket} was escalated: ${status.brief}`);
          return status && isClosed(status.phase as Phase) ? ended() : undefined;
        },
        { deadlineMs: PATIENCE_MS, everyMs: LOOK_MS },
      );
    },
    async killChild(name) {
      const pid = need().processes()[name];
      if (pid === undefined) throw new Error(`${name} does not run`);
      const before = events.length;
      process.kill(name === 'temporal' ? -pid : pid, 'SIGKILL');
      await until(`the death of ${name} to be noticed`, () => events.slice(before).find((e) => e.name === name), {
        deadlineMs: 10_000,
      });
    },
    journal: () => readFolder(join(home, 'journal')),
    async record(name, ticket) {
      const folder = process.env.MEDIC_RECORD_HISTORIES;
      if (!folder) return;
      const text = await fetchHistoryText(need().client, ticketWorkflowId(ticket));
      writeFileSync(join(folder, `${name}.json`), scrubHistory(text, [home, packageRoot()]));
    },
  };
}

/** Invariants of the subject that file tickets; all have to be judged before a test begins. */
const FILING = 9;

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Makes one verb of the host's `labctl` slow, as a loaded host would be: the moment in which a command runs becomes long
 * enough to kill somebody in it. Returns what restores it.
 */
export function slowLabctl(labDir: string, verb: string, seconds: number): () => void {
  const path = join(labDir, 'bin', 'labctl');
  const real = `${path}.real`;
  renameSync(path, real);
  writeFileSync(path, `#!/bin/sh\n[ "$1" = ${verb} ] && sleep ${seconds}\nexec "${real}" "$@"\n`);
  chmodSync(path, 0o755);
  if (!readFileSync(path, 'utf8').includes(real)) throw new Error('the wrapper was not written');
  return () => renameSync(real, path);
}
