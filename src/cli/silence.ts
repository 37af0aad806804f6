import { MedicError } from '../domain/errors.js';
import { EXIT, exitCodeOf } from './exit-codes.js';

/** Who did not answer, of what a verb threw; `null`: it failed for another reason. */
export async function asSilence(error: unknown): Promise<MedicError | null> {
  if (error instanceof MedicError) return exitCodeOf(error.code) === EXIT.connection ? error : null;
  return fromTemporal(error);
}

/** The server answers, and says that no worker does: none polls, or the last one did not get through its task. */
const OF_WORKER = /no poller seen|worker may be down|unable to query workflow due to workflow task in failed state/i;

/** What Temporal's client throws when the server or the worker is away. */
async function fromTemporal(error: unknown): Promise<MedicError | null> {
  const { isGrpcCancelledError, isGrpcDeadlineError, isGrpcServiceError } = await import('@temporalio/client');
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  // A call that is out of time ends with one or the other, whoever notices first.
  if (isGrpcDeadlineError(cause) || isGrpcCancelledError(cause))
    return new MedicError('MEDIC_WORKER_SILENT', 'no worker answered in time');
  if (!isGrpcServiceError(cause)) return null;
  const isOfWorker = OF_WORKER.test(cause.message);
  return new MedicError(
    isOfWorker ? 'MEDIC_WORKER_SILENT' : 'MEDIC_TEMPORAL_UNREACHABLE',
    cause.details || cause.message,
  );
}
