import { ActivityFailure, isCancellation } from '@temporalio/workflow';

/** The result, or the words of why an activity failed for good. Cancellation passes through. */
export async function orFailure<T>(promise: Promise<T>): Promise<T | string> {
  try {
    return await promise;
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    return error.cause?.message ?? error.message;
  }
}
