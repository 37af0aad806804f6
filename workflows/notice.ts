import type { NoticeInput } from './activity-contract.js';
import { delivering } from './activity-options.js';

/** Tells one target one thing, for as long as that takes: a ticket goes on whether or not anybody can be told. */
export async function notice(input: NoticeInput): Promise<string> {
  const { notification, target } = input;
  return delivering.deliver.executeWithOptions({ summary: `tell ${target}: ${notification.kind}` }, [input]);
}
