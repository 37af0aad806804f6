import { setMaxListeners } from 'node:events';
import { Context } from '@temporalio/activity';

/**
 * The signal that an abort, a lost workflow or the worker's shutdown sends to this activity. One look listens to it with
 * a dozen requests at once, which Node would take for a leak.
 */
export function cancellation(): AbortSignal {
  const { cancellationSignal } = Context.current();
  setMaxListeners(0, cancellationSignal);
  return cancellationSignal;
}

/** Reports a cancelled activity as cancelled: what was interrupted must not count as failed, nor as done. */
export async function stopIfCancelled(): Promise<void> {
  if (Context.current().cancellationSignal.aborted) await Context.current().cancelled;
}
