import { asyncLocalStorage, Context, type Info } from '@temporalio/activity';
import { noopMetricMeter } from '@temporalio/common';
import { DefaultLogger } from '@temporalio/worker';

/** Runs the code of an activity where no worker is: it is never cancelled, and nobody hears its heartbeats. */
export function inActivity<T>(run: string, work: () => Promise<T>): Promise<T> {
  const info = { workflowExecution: { workflowId: 'whatif', runId: run }, activityId: '1', attempt: 1 } as Info;
  const context = new Context(
    info,
    new Promise<never>(() => {}),
    new AbortController().signal,
    () => {},
    undefined,
    new DefaultLogger('ERROR'),
    noopMetricMeter,
    {},
  );
  return asyncLocalStorage.run(context, work);
}
