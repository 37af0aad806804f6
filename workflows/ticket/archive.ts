import { ActivityFailure, CancellationScope, patched } from '@temporalio/workflow';
import { writeReport } from '../../src/domain/report.js';
import { deskwork } from '../activity-options.js';
import type { TicketRun } from './run.js';

/**
 * Puts the ticket as it stands into the archive: history, trail and report.
 *
 * @returns path of the report
 */
export async function archive({ ticket }: TicketRun): Promise<string> {
  const { path } = await deskwork.archive.executeWithOptions({ summary: 'archive history, trail and report' }, [
    { ticket, report: writeReport(ticket) },
  ]);
  return path;
}

/**
 * Waits for a person, who may take days, and by then the server may be gone: what is known is archived beside the wait, for
 * as long as that takes. A full disk keeps nobody from being heard, and the end of the ticket archives it again.
 */
export async function archivedMeanwhile(run: TicketRun, wait: () => Promise<void>): Promise<void> {
  if (!patched('archived-when-handed-over')) return wait();
  const scope = new CancellationScope();
  const archived = scope.run(() => archive(run)).catch(unlessActivity);
  try {
    await wait();
  } finally {
    scope.cancel();
    await archived;
  }
}

function unlessActivity(error: unknown): void {
  if (!(error instanceof ActivityFailure)) throw error;
}
