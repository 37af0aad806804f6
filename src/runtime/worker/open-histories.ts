import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { MedicError } from '../../domain/errors.js';
import { writeAtomically } from '../../evidence/write-atomically.js';
import { firstSentence } from '../replay.js';
import { storySink } from './story-sink.js';

/** An open workflow that the present code would carry on in another way than it began. */
export interface Diverged {
  readonly workflowId: string;
  readonly why: string;
}

export interface OpenHistories {
  readonly client: Client;
  /** Only workflows of this queue are this worker's. */
  readonly taskQueue: string;
  readonly bundlePath: string;
}

/** Replays every open history of a queue on a bundle; nothing is asked and nothing is run. */
export async function divergedHistories({ client, taskQueue, bundlePath }: OpenHistories): Promise<Diverged[]> {
  const open = client.workflow.list({ query: `ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'` });
  const options = { workflowBundle: { codePath: bundlePath }, sinks: storySink(() => {}, 'live') };
  const diverged: Diverged[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories(options, open.intoHistories())) {
    if (error) diverged.push({ workflowId, why: firstSentence(error) });
  }
  return diverged;
}

/**
 * To be awaited before the first poll: a worker that polls with other decisions in its code than an open workflow was
 * begun with stops that workflow in the middle, perhaps with an approval pending. Which bundle passed is kept in
 * `stateDir`, so that a mere restart does not replay again.
 *
 * @throws MedicError `MEDIC_REPLAY_DIVERGED` with every workflow that does not replay
 */
export async function refuseDiverged(options: OpenHistories & { readonly stateDir: string }): Promise<void> {
  const passed = join(options.stateDir, 'replayed-bundle');
  const bundle = createHash('sha256').update(readFileSync(options.bundlePath)).digest('hex');
  if (textOf(passed) === bundle) return;
  const diverged = await divergedHistories(options);
  if (diverged.length > 0) throw refusal(diverged);
  await writeAtomically(passed, bundle);
}

function refusal(diverged: readonly Diverged[]): MedicError {
  const lines = diverged.map(({ workflowId, why }) => `  ${workflowId}: ${why}`);
  const many = diverged.length === 1 ? 'an open workflow does' : `${diverged.length} open workflows do`;
  return new MedicError('MEDIC_REPLAY_DIVERGED', [`${many} not replay on this code:`, ...lines].join('\n'));
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
