import { ApplicationFailure, activityInfo, Context } from '@temporalio/activity';
import { MedicError } from '../src/domain/errors.js';
import type { EvidenceStore } from '../src/evidence/store.js';
import { ModelFailure } from '../src/reasoner/model-failure.js';
import type { Attempt, ReasonerTools } from '../src/reasoner/reasoner.js';
import type { ThinkActivities } from '../workflows/activity-contract.js';
import { cancellation, stopIfCancelled } from './cancellation.js';
import { beat } from './heartbeats.js';
import { type Rooms, roomOf } from './room.js';
import { currentRun } from './run-id.js';
import { fullDisk } from './storing.js';

export interface ThinkDeps {
  readonly rooms: Rooms;
  readonly evidence: EvidenceStore;
}

const BEAT_MS = 3_000;

/** Turns a digest into one next step; the bodies of the evidence come from the evidence store. */
export function createThink({ rooms, evidence }: ThinkDeps): ThinkActivities {
  return {
    async think({ digest }) {
      const { reasoner } = roomOf(rooms, digest.subject);
      const attempt = thisAttempt();
      const stop = beat(BEAT_MS, () => carried(attempt));
      const hashes = new Map(digest.evidence.map((e) => [e.id, e.sha256]));
      const body: ReasonerTools['body'] = async (id) => {
        const sha256 = hashes.get(id);
        if (!sha256) throw new MedicError('MEDIC_EVIDENCE_MISSING', `${digest.ticket} has no evidence ${id}`);
        return evidence.get(sha256);
      };
      try {
        return await reasoner.reason(digest, { body, signal: cancellation(), attempt });
      } catch (error) {
        // The next try learns from the last heartbeat what this one paid for and why it failed.
        Context.current().heartbeat(carried(attempt));
        await stopIfCancelled();
        throw fullDisk(error) ?? failureOf(error);
      } finally {
        stop();
      }
    },
  };
}

type Carried = Pick<Attempt, 'calls' | 'failures'>;

const carried = ({ calls, failures }: Attempt): Carried => ({ calls, failures });

function thisAttempt(): Attempt {
  const { attempt, heartbeatDetails } = activityInfo();
  const earlier = heartbeatDetails as Carried | undefined;
  return {
    run: currentRun(),
    number: attempt,
    calls: [...(earlier?.calls ?? [])],
    failures: [...(earlier?.failures ?? [])],
  };
}

/** What a coded error says does not change by asking again; an overloaded model may answer later. */
function failureOf(error: unknown): unknown {
  if (error instanceof MedicError)
    return ApplicationFailure.create({ type: error.code, message: error.message, nonRetryable: true, cause: error });
  if (error instanceof ModelFailure)
    return ApplicationFailure.create({
      type: 'MEDIC_REASONER_UNAVAILABLE',
      message: error.message,
      nonRetryable: error.kind === 'final',
      ...(error.afterMs === undefined ? {} : { nextRetryDelay: error.afterMs }),
    });
  return error;
}
