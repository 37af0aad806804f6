import type { Target } from '../../../src/domain/ids.js';
import type { StepDraft } from '../../../src/domain/proposal.js';
import { isRestorable } from '../actions/schedulers.js';
import { type Brake, brakesIn, foreignSchedulers } from '../picture/orders.js';
import type { TikvPicture } from '../picture.js';

/**
 * One step for each scheduler that somebody added, or for each store of it, so that each can be taken back by itself.
 * `null`: one of them could not be put back, or what it holds is not known.
 */
export function removals({ vitals: { scheduling } }: TikvPicture): readonly StepDraft[] | null {
  const foreign = foreignSchedulers(scheduling);
  if (foreign === null || !scheduling.held.known) return null;
  const held = scheduling.held.value;
  const targets = foreign.flatMap((name) => held[name]?.map((id) => `${name}-${id}`) ?? [name]);
  return targets.every(isRestorable) ? targets.map((target) => step('remove-scheduler', target)) : null;
}

/** More pauses than this are ended by one call. */
const SINGLE_PAUSES = 2;

/** Steps that let PD schedule again. `null`: it is not known what stops it, or only a person may end that. */
export function brakeSteps(picture: TikvPicture): readonly StepDraft[] | null {
  const brakes = brakesIn(picture);
  if (brakes === null || brakes.some(({ kind }) => kind === 'halt')) return null;
  const paused = brakes.flatMap((brake) => (brake.kind === 'paused' ? [brake.scheduler] : []));
  const resumed = paused.length > SINGLE_PAUSES ? ['all'] : paused;
  return [...resumed.map((name) => step('resume-scheduler', name)), ...brakes.flatMap(restoration)];
}

function restoration(brake: Brake): StepDraft[] {
  if (brake.kind === 'limit') return [step('restore-limit', brake.limit)];
  if (brake.kind === 'leader-weight') return [step('restore-leader-weight', brake.store)];
  return brake.kind === 'store-limit' ? [step(`restore-${brake.limit}-limit`, brake.store)] : [];
}

const step = (action: string, target: Target): StepDraft => ({ kind: 'action', action, target });
