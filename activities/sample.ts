import { instant, subjectOf } from '../src/domain/ids.js';
import type { ProofSample } from '../src/domain/proof.js';
import type { Verdict } from '../src/domain/reading.js';
import type { Judged } from '../subjects/protocol.js';
import type { LookActivities } from '../workflows/activity-contract.js';
import { cancellation } from './cancellation.js';
import { brokenIn, unknownIn } from './health.js';
import { type Room, type Rooms, roomOf } from './room.js';

export interface SampleDeps {
  readonly rooms: Rooms;
  readonly now: () => number;
}

/** One sample of a proof: our own client and the host's witness, never the reasoner (DESIGN 9). */
export function createSample({ rooms, now }: SampleDeps): Pick<LookActivities, 'sample'> {
  return {
    async sample({ ticket, cause }): Promise<ProofSample> {
      const room = roomOf(rooms, subjectOf(ticket));
      const at = instant(now());
      const picture = await room.eyes.observe('placement', cancellation());
      const broken = brokenIn(room.subject, picture, at);
      const unknown = unknownIn(room.subject, picture);
      const gone = causeGone(room, picture, cause);
      const healthy: Verdict = broken.length > 0 ? 'no' : unknown.length > 0 ? 'unknown' : 'yes';
      return {
        at,
        healthy,
        broken: broken.map((v) => v.fingerprint),
        causeGone: gone.verdict,
        reason: [...broken.map((v) => v.message), ...unknown.map((name) => `${name} is unknown`), gone.reason].join(
          '; ',
        ),
      };
    },
  };
}

/** The cause `other` has no test, so it can never be proven gone. */
function causeGone(room: Room, picture: unknown, cause: { class: string; target: string }): Judged {
  const known = room.subject.causes.find((c) => c.class === cause.class);
  return known?.isGone(picture, cause.target) ?? { verdict: 'unknown', reason: `no test for the cause ${cause.class}` };
}
