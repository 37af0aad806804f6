import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import { watching } from './activity-options.js';
import type { PatrolInput } from './contract.js';

/**
 * Watches one subject for ever: one long heartbeating activity after the other. Heartbeats leave no events behind, so
 * a round costs nine of them whatever its length.
 */
export async function patrol(input: PatrolInput): Promise<void> {
  setCurrentDetails(`Watching **${input.subject}**. Violations go to its desk.`);
  const { watch } = watching(input.watchQueue);
  await watch.executeWithOptions({ summary: `watching ${input.subject}` }, [{ subject: input.subject }]);
  await continueAsNew<typeof patrol>(input);
}
