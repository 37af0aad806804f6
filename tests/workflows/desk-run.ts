import type { WorkflowHandle } from '@temporalio/client';
import type { DeskState } from '../../src/domain/desk.js';
import type { Report, Violation } from '../../src/domain/violation.js';
import { deskId, MESSAGES, QUERIES } from '../../workflows/contract.js';
import type { TestTemporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { activityDoubles, noCounts, thought } from './ticket-double.js';

/** A desk that runs, and the watch that reports to it. */
export interface DeskRun {
  readonly subject: string;
  /** Without a run id: it goes through continue-as-new. */
  readonly handle: WorkflowHandle;
  /** The next report; `part` says what is not as usual in it. */
  report(active: readonly Violation[], part?: Partial<Report>): Promise<void>;
  state(): Promise<DeskState>;
  /** Waits until its state is as wanted. */
  settled(what: string, done: (state: DeskState) => boolean): Promise<DeskState>;
}

/** Runs a desk whose tickets escalate at once, so that they stay open; doubles know tikv-2 and tikv-3. */
export function withDesk<T>(
  temporal: TestTemporal,
  { subject, firstNumber }: { readonly subject: string; readonly firstNumber: number },
  work: (desk: DeskRun) => Promise<T>,
): Promise<T> {
  const activities = activityDoubles(noCounts());
  activities.think = async () => thought({ kind: 'escalate', why: 'a double' }, false);
  return temporal.withWorker(activities, async (taskQueue) => {
    const handle = temporal.client.workflow.getHandle(deskId(subject));
    const state = () => handle.query<DeskState>(QUERIES.desk);
    let seq = 0;
    return work({
      subject,
      handle,
      state,
      report: async (active, part = {}) => {
        seq += 1;
        const report = { subject, watch: 'w1', seq, at: new Date().toISOString(), active, suspect: [], judged: [] };
        await temporal.client.workflow.signalWithStart('desk', {
          workflowId: deskId(subject),
          taskQueue,
          args: [{ subject, firstNumber, recurrenceMs: 600_000 }],
          signal: MESSAGES.report,
          signalArgs: [{ ...report, ...part }],
        });
      },
      settled: (what, done) =>
        until(
          what,
          async () => {
            const now = await state();
            return done(now) ? now : undefined;
          },
          { deadlineMs: 20_000 },
        ),
    });
  });
}
