import type { Operator } from './operator.js';

/** What the API shows of scheduling. */
export interface ScheduleView {
  /** Does the leader know enough of its regions to schedule? */
  readonly prepared: boolean;
  readonly operators: readonly Operator[];
  /** Those that ended not long ago, oldest first. */
  readonly records: readonly Operator[];
}

/** A member that does not lead. */
export const NO_SCHEDULE: ScheduleView = { prepared: false, operators: [], records: [] };
