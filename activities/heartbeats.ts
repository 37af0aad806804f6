import { Context } from '@temporalio/activity';

/**
 * The SDK sends no beat sooner than this after the one before. Its own rule is 80 % of the heartbeat time-out, by which an
 * abort would reach a call of the model, which is being paid for, only after 12 s.
 */
export const BEAT_THROTTLE_MS = 3_000;

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

const STILL_HERE_MS = 1_000;

/**
 * The same activities, each saying that it is still here once a second: a worker that dies in one of them is noticed
 * by its heartbeat time-out instead of by the longest that it may take. What ends sooner sends no beat at all. Not for
 * activities whose beats carry something.
 */
export function beating<A extends object>(activities: A): A {
  const wrapped = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...args: unknown[]): Promise<unknown> => {
      const context = Context.current();
      const timer = setInterval(() => context.heartbeat(), STILL_HERE_MS);
      try {
        return await (activity as (...given: unknown[]) => Promise<unknown>)(...args);
      } finally {
        clearInterval(timer);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as A;
}
