import { createLook } from '../../../activities/look.js';
import { TIKV } from '../../../subjects/tikv/subject.js';
import type { TicketTimes } from '../../../workflows/contract.js';
import { MedicError } from '../../domain/errors.js';
import type { Evidence } from '../../domain/evidence.js';
import { type EvidenceId, subjectOf, type TicketId } from '../../domain/ids.js';
import { describeEvidence } from '../../evidence/describe.js';
import type { EvidenceStore } from '../../evidence/store.js';
import { inActivity } from './activity-context.js';
import { evidenceOf, type RecordedActivity, resultOf } from './facts.js';
import { createRecordedRoom } from './recorded-room.js';

/** What looks return in the other world, by the evidence of the record whose body is another one there. */
export type Replaced = ReadonlyMap<EvidenceId, unknown>;

export interface ReplaceOptions {
  readonly facts: readonly RecordedActivity[];
  /** New bodies. */
  readonly bodies: ReadonlyMap<EvidenceId, string>;
  readonly ticket: TicketId;
  readonly times: TicketTimes;
  readonly run: string;
  /** Gets the new bodies. */
  readonly evidence: EvidenceStore;
  /** Values masked wherever they turn up. */
  readonly secrets: readonly string[];
}

/**
 * Describes new bodies as the looks would have: redacted, with their line, and a picture with what is broken in it.
 *
 * @throws MedicError `MEDIC_WHATIF_EVIDENCE` for evidence that the record does not have, and for a picture that is none
 */
export async function replaceEvidence(options: ReplaceOptions): Promise<Replaced> {
  const replaced = new Map<EvidenceId, unknown>();
  for (const [id, body] of options.bodies) replaced.set(id, await replaceOne(options, id, body));
  return replaced;
}

async function replaceOne(options: ReplaceOptions, id: EvidenceId, body: string): Promise<unknown> {
  const activity = options.facts.find((fact) => evidenceOf(fact) === id && fact.outcome?.kind === 'completed');
  if (!activity) throw new MedicError('MEDIC_WHATIF_EVIDENCE', `${options.ticket} has no evidence ${id}`);
  return activity.name === 'look' ? answer(options, activity, body) : picture(options, activity, body);
}

function answer({ evidence, secrets }: ReplaceOptions, activity: RecordedActivity, body: string): Promise<Evidence> {
  const recorded = resultOf<Evidence>(activity) as Evidence;
  const { failure: _, ...seen } = recorded;
  const says = recorded.call ? TIKV.describeAnswer?.(recorded.call, body) : null;
  return describeEvidence({ ...seen, body, ...(says ? { says } : {}) }, { store: evidence, known: secrets });
}

/** By the activity itself, which looks at the new picture as it would at a subject. */
async function picture(options: ReplaceOptions, { input, askedAt }: RecordedActivity, body: string): Promise<unknown> {
  const { ticket, times, run, evidence, secrets } = options;
  const { id } = input as { id: EvidenceId };
  try {
    const room = createRecordedRoom({ picture: body, times });
    const { lookAtPicture } = createLook({
      rooms: new Map([[subjectOf(ticket), room]]),
      evidence,
      secrets,
      now: () => askedAt,
      refuses: () => 'only the picture is looked at',
      onLook: () => {},
    });
    return await inActivity(run, () => lookAtPicture({ ticket, id }));
  } catch (failure) {
    throw new MedicError(
      'MEDIC_WHATIF_EVIDENCE',
      `${id} is a picture, and the file is none: ${(failure as Error).message}`,
    );
  }
}
