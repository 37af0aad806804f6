import { Context } from '@temporalio/activity';

/**
 * Beats until the returned function is called. Cancellation is delivered with a heartbeat's answer, so whatever waits
 * long has to beat; the context is captured here because it is gone inside an abort listener.
 */
export function beat(everyMs: number, details?: () => unknown): () => void {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(details?.()), everyMs);
  context.heartbeat(details?.());
  return () => clearInterval(timer);
}
