import { setTimeout as pause } from 'node:timers/promises';
import { MedicError } from '../../domain/errors.js';
import { type Child, type ChildSpec, type Ending, startChild } from './child.js';

const POLL_MS = 100;

/** What happened to a child that nobody had stopped. */
export type ChildEvent = { readonly name: string } & (
  | ({ readonly what: 'died' | 'gave-up' } & Ending)
  /** `afterMs`: since its death; code and signal are those of that death. */
  | ({ readonly what: 'restarted' } & Ending)
);

/** When to try again. */
export interface BackOff {
  /** Before the first restart; doubles with each further quick death. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** A child that ran this long is taken as sound: its next death counts as the first. */
  readonly steadyMs: number;
  /** Restarts in a row before it is left alone. */
  readonly restarts: number;
}

/** 0.2 s doubling to 10 s, given up after 8 restarts in a row, about half a minute. */
export const BACK_OFF: BackOff = { firstMs: 200, maxMs: 10_000, steadyMs: 30_000, restarts: 8 };

/** How to know that a child is up. */
export interface Readiness {
  /** Asked again and again; answers soon, it is not cut off. */
  readonly isUp: () => Promise<boolean>;
  readonly withinMs: number;
}

/** Siblings under this process. */
export interface Supervisor {
  /**
   * Starts a child and, from then on, starts it again whenever it dies.
   *
   * @throws MedicError `MEDIC_PROCESS_NOT_READY` if it ends, or is not up in time, the first time; it is then gone.
   * `AbortError` after `stop`: a Ctrl-C while Medic comes up must not leave a child that was started too late
   */
  readonly start: (spec: ChildSpec, readiness?: Readiness) => Promise<void>;
  /** Ends all, the last started first, and returns when none of their groups is left. */
  readonly stop: () => Promise<void>;
  /** Leaders of the process groups that live now, by name. */
  readonly processes: () => Record<string, number>;
}

interface Slot {
  readonly spec: ChildSpec;
  child: Child;
}

/** Runs children as siblings. `report` hears of every death and restart that was not asked for. */
export function createSupervisor({
  report,
  backOff = BACK_OFF,
}: {
  report: (event: ChildEvent) => void;
  backOff?: BackOff;
}): Supervisor {
  const slots: Slot[] = [];
  const stopping = new AbortController();

  async function start(spec: ChildSpec, readiness?: Readiness): Promise<void> {
    stopping.signal.throwIfAborted();
    const slot: Slot = { spec, child: startChild(spec) };
    slots.push(slot);
    if (readiness) await untilUp(slot, readiness);
    void keepAlive(slot);
  }

  async function keepAlive(slot: Slot): Promise<void> {
    for (let restarts = 0; ; restarts += 1) {
      const ending = await slot.child.ended;
      if (stopping.signal.aborted) return;
      report({ name: slot.spec.name, what: 'died', ...ending });
      if (ending.afterMs >= backOff.steadyMs) restarts = 0;
      if (restarts >= backOff.restarts) return report({ name: slot.spec.name, what: 'gave-up', ...ending });
      await restart(slot, { ending, delayMs: Math.min(backOff.firstMs * 2 ** restarts, backOff.maxMs) });
    }
  }

  async function restart(slot: Slot, { ending, delayMs }: { ending: Ending; delayMs: number }): Promise<void> {
    const diedMs = performance.now();
    await pause(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    slot.child = startChild(slot.spec);
    const afterMs = Math.round(performance.now() - diedMs);
    report({ name: slot.spec.name, what: 'restarted', ...ending, afterMs });
  }

  async function stop(): Promise<void> {
    stopping.abort();
    for (const { child } of [...slots].reverse()) await child.stop();
  }

  const processes = () => {
    const running = slots.filter(({ child }) => child.isRunning());
    return Object.fromEntries(running.map(({ spec, child }) => [spec.name, child.pid ?? 0]));
  };

  return { start, stop, processes };
}

async function untilUp({ spec, child }: Slot, { isUp, withinMs }: Readiness): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  let ending: Ending | undefined;
  void child.ended.then((end) => {
    ending = end;
  });
  while (!(await isUp())) {
    if (ending) throw notReady(spec, `ended (${ending.signal ?? `exit ${ending.code}`}) before it was up`);
    if (performance.now() > deadlineMs) {
      await child.stop();
      throw notReady(spec, `was not up within ${withinMs / 1000} s`);
    }
    await Promise.race([pause(POLL_MS), child.ended]);
  }
}

function notReady({ name, logFile }: ChildSpec, problem: string): MedicError {
  return new MedicError('MEDIC_PROCESS_NOT_READY', `${name} ${problem}; its log is ${logFile}`);
}
