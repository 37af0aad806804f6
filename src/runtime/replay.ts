import { existsSync } from 'node:fs';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { MedicError } from '../domain/errors.js';
import type { TicketId } from '../domain/ids.js';
import type { TrailEvent } from '../domain/trail.js';
import { parseHistory } from './history.js';
import { compiledFile } from './package-root.js';
import { storySink } from './worker/story-sink.js';

/** The bundle that setup built; the only one that workers and replays use. */
export function workflowBundlePath(): string {
  const path = compiledFile('workflow-bundle.ts');
  if (existsSync(path)) return path;
  throw new MedicError('MEDIC_BUILD_MISSING', `there is no workflow bundle at ${path}`);
}

export interface ReplayOptions {
  /** JSON text of a history. */
  readonly text: string;
  /** Where it came from, for messages. */
  readonly source: string;
  readonly workflowId: string;
  readonly tell: (ticket: TicketId, event: TrailEvent) => void;
}

/**
 * Runs the present workflow code on a recorded history and narrates it. Nothing is asked, nothing is run.
 *
 * @throws MedicError `MEDIC_HISTORY_UNREADABLE`, or `MEDIC_REPLAY_DIVERGED` when the code would decide otherwise
 */
export async function replay({ text, source, workflowId, tell }: ReplayOptions): Promise<void> {
  const history = parseHistory(text, source);
  try {
    // The id matters: child ids and messages derive from it (temporal-verified 7).
    await Worker.runReplayHistory(
      { workflowBundle: { codePath: workflowBundlePath() }, sinks: storySink(tell, 'always') },
      history,
      workflowId,
    );
  } catch (error) {
    throw new MedicError('MEDIC_REPLAY_DIVERGED', `${source}: ${firstSentence(error)}`);
  }
}

/** Core answers with a dump; the sentence behind its error number is what a person needs. */
export function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /\[TMPRL1100\][^\n"]*/.exec(message)?.[0] ?? message.split('\n')[0] ?? message;
}

/** Core logs of a replay are noise on a screen. To be called before the first replay of a process. */
export const quietRuntime = (): Runtime => Runtime.install({ logger: new DefaultLogger('ERROR') });
