import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import type { NodeLog } from './node-log.js';
import { endedRecord, identityOf, type NodeRecord, neverStarted, startedRecord } from './node-record.js';
import { lookAtProcess, type ProcessIdentity } from './process-look.js';
import type { NodeReport, NodeState, StartAnswer, StopAnswer, UnpauseAnswer } from './report.js';
import type { NodePlan } from './topology.js';

/** One node and, while it runs, its process. Nothing here ever starts a node by itself. */
export interface LabNode {
  readonly name: string;
  record(): NodeRecord;
  report(): NodeReport;
  /** Waits for a stop that is under way. */
  start(): Promise<StartAnswer>;
  /** SIGTERM, then SIGKILL after the grace. */
  stop(options: { graceMs: number }): Promise<StopAnswer>;
  /** SIGCONT for a process that the kernel shows stopped; waits until it goes on. */
  unpause(): Promise<UnpauseAnswer>;
  /** As `stop`, when labd itself ends. A frozen process is killed at once: it could not hear SIGTERM. */
  endWithLabd(options: { graceMs: number }): Promise<void>;
}

/** What a node is made of. `onChange` runs after each change of the record, before anything else happens. */
export interface LabNodeDeps {
  readonly plan: NodePlan;
  /** Arguments for Node, the program that runs every node; asked at each start. */
  readonly argv: () => readonly string[];
  readonly log: NodeLog;
  readonly now: () => Date;
  readonly saved: NodeRecord | undefined;
  readonly onChange: () => void;
  readonly onStarted: (process: ProcessIdentity) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly exited: Promise<void>;
}

/** A node at rest, with what is remembered of it. */
export function createLabNode({ plan, argv, log, now, saved, onChange, onStarted }: LabNodeDeps): LabNode {
  let record: NodeRecord = saved ?? neverStarted(now());
  let running: Running | undefined;

  const change = (next: Partial<NodeRecord>) => {
    record = { ...record, ...next };
    onChange();
  };
  const report = (): NodeReport => ({
    ...reportOf(plan, record),
    state: stateOf(running?.child),
    argv: [process.execPath, ...argv()],
  });

  const begin = () => {
    mkdirSync(plan.dataDir, { recursive: true });
    const child = spawn(process.execPath, argv(), { stdio: 'pipe', env: nodeEnvironment() });
    child.stdout.on('data', log.write);
    child.stderr.on('data', log.write);
    // A node that ended while it was written to must not take labd along.
    child.stdin.on('error', () => undefined);
    const exited = new Promise<void>((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        if (running?.child !== child) return;
        running = undefined;
        change(endedRecord({ code, signal, at: now() }));
        resolve();
      };
      child.once('exit', end).once('error', () => end(127, null));
      child.once('close', (code, signal) => log.note(`process ended: ${signal ?? `exit code ${code}`}`));
    });
    running = { child, exited };
    change({ ...startedRecord(child, now()), starts: record.starts + 1 });
    const identity = identityOf(record);
    if (identity) onStarted(identity);
    log.note(`process ${child.pid} started`);
  };

  const terminate = async (
    { child, exited }: Running,
    { graceMs }: { graceMs: number },
  ): Promise<'stopped' | 'killed'> => {
    child.kill('SIGTERM');
    if (await settles(exited, graceMs)) return 'stopped';
    child.kill('SIGKILL');
    await exited;
    return 'killed';
  };

  const inTurn = oneAtATime();

  return {
    name: plan.name,
    record: () => record,
    report,
    start: () =>
      inTurn(() => {
        if (running) return { outcome: 'already-running', node: report() };
        begin();
        return { outcome: 'started', node: report() };
      }),
    stop: ({ graceMs }) =>
      inTurn(async () => {
        if (!running) return { outcome: 'already-exited', node: report() };
        change({ stoppedByRequest: true });
        const outcome = await terminate(running, { graceMs });
        return { outcome, node: report() };
      }),
    unpause: () =>
      inTurn(async () => {
        if (!running) return { outcome: 'not-running', node: report() };
        if (stateOf(running.child) !== 'paused') return { outcome: 'already-running', node: report() };
        running.child.kill('SIGCONT');
        await goesOn(running.child);
        return { outcome: 'resumed', node: report() };
      }),
    async endWithLabd({ graceMs }) {
      if (!running) return;
      change({ endedWithLabd: !record.stoppedByRequest });
      await terminate(running, { graceMs: stateOf(running.child) === 'paused' ? 0 : graceMs });
    },
  };
}

function reportOf(plan: NodePlan, { endedWithLabd: _, ...record }: NodeRecord) {
  const { peerUrl: __, ...shown } = plan;
  return { ...shown, ...record, hasData: holdsSomething(plan.dataDir) };
}

function stateOf(child: ChildProcess | undefined): NodeState {
  if (child === undefined) return 'exited';
  const state = child.pid === undefined ? undefined : lookAtProcess(child.pid)?.state;
  return state === 'T' ? 'paused' : 'running';
}

const GOES_ON_MS = 1_000;
const LOOK_EVERY_MS = 5;

/** The kernel delivers the signal a moment later. */
async function goesOn(child: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < GOES_ON_MS && stateOf(child) === 'paused'; waitedMs += LOOK_EVERY_MS)
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS));
}

function holdsSomething(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** Small and fixed: nothing of labd's own surroundings (keys, NODE_OPTIONS) reaches a node. */
function nodeEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, TZ: 'UTC' };
}

/** Runs what it is given one after the other, in the order of asking. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => T | Promise<T>): Promise<T> => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}

function settles(promise: Promise<void>, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), withinMs);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
