import { ApplicationFailure } from '@temporalio/activity';
import { MedicError } from '../src/domain/errors.js';
import type { EvidenceStore } from '../src/evidence/store.js';
import type { ThinkActivities } from '../workflows/contract.js';
import { cancellation } from './cancellation.js';
import { beat } from './heartbeats.js';
import { type Rooms, roomOf } from './room.js';

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
      const stop = beat(BEAT_MS);
      const hashes = new Map(digest.evidence.map((e) => [e.id, e.sha256]));
      const body = async (id: (typeof digest.evidence)[number]['id']): Promise<string> => {
        const sha256 = hashes.get(id);
        if (!sha256) throw new MedicError('MEDIC_EVIDENCE_MISSING', `${digest.ticket} has no evidence ${id}`);
        return evidence.get(sha256);
      };
      try {
        return await reasoner.reason(digest, { body, signal: cancellation() });
      } catch (error) {
        throw error instanceof MedicError ? finalFailure(error) : error;
      } finally {
        stop();
      }
    },
  };
}

/** What a coded error says does not change by asking again. */
const finalFailure = (error: MedicError): ApplicationFailure =>
  ApplicationFailure.create({ type: error.code, message: error.message, nonRetryable: true, cause: error });
