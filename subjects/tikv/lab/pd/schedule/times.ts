import type { ClusterTimes } from '../../../profiles.js';
import { changedIn, type Step } from './step.js';

/** PD's tick in the profile `real`. What the time table does not name shrinks as the tick does. */
const REAL_TICK_MS = 500;
const ROUNDS_PER_TICK = 2;

/** The times of PD's scheduling (PD: `operator_controller.go`, `schedule_controller.go`, `step.go`), in ms. */
export interface ScheduleTimes {
  /** Distance of two looks at what is to be done. */
  readonly roundMs: number;
  /** Longest rest of a scheduler that finds nothing to do. */
  readonly longestRestMs: number;
  /** A step that a store should do at once is told again after this time, any other one after {@link repeatSlowMs}. */
  readonly repeatFastMs: number;
  readonly repeatSlowMs: number;
  /** What became of an operator can be asked for so long. */
  readonly recordMs: number;
  /** The minute of the store limits. */
  readonly limitMinuteMs: number;
  /** A store that was slow gets leaders again after this time (PD: `recovery-duration` 1800 s). */
  readonly recoveryMs: number;
  /** One of PD's seconds. */
  readonly secondMs: number;
}

export function scheduleTimes({ pdTickMs }: Pick<ClusterTimes, 'pdTickMs'>): ScheduleTimes {
  const secondMs = (1_000 * pdTickMs) / REAL_TICK_MS;
  return {
    roundMs: pdTickMs / ROUNDS_PER_TICK,
    longestRestMs: 5 * secondMs,
    repeatFastMs: 2 * secondMs,
    repeatSlowMs: 5 * secondMs,
    recordMs: 600 * secondMs,
    limitMinuteMs: 60 * secondMs,
    recoveryMs: 1_800 * secondMs,
    secondMs,
  };
}

/** How long a step may take (PD: `fastStepWaitDuration`, `slowStepWaitDuration`); more for a region over 100 MiB. */
export function stepTimeoutMs(step: Step, { sizeMib, secondMs }: { sizeMib: number; secondMs: number }): number {
  const fast = Math.max(60, Math.trunc(0.6 * sizeMib));
  switch (step.kind) {
    case 'add-learner':
      return Math.max(600, 6 * sizeMib) * secondMs;
    case 'enter-joint':
    case 'leave-joint':
      return fast * (changedIn(step).length + 1) * secondMs;
    case 'transfer-leader':
    case 'promote-learner':
    case 'remove-peer':
      return fast * secondMs;
  }
}
