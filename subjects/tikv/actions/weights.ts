import type { Target } from '../../../src/domain/ids.js';
import type { HttpCall } from '../../../src/domain/query.js';
import type { Action, Judged } from '../../protocol.js';
import { no, unknown, yes } from '../causes/judged.js';
import { SHIPPED_WEIGHT } from '../picture/orders.js';
import type { StoreWeights, TikvPicture } from '../picture.js';
import { changePd, idInPd, pdStoreNamed } from '../services.js';

/** Lets PD give a store leaders again; the weight of its regions stays as it is. The target is the store. */
export const restoreLeaderWeight: Action<TikvPicture> = {
  name: 'restore-leader-weight',
  describe: (target) => `set the leader weight of ${target} to ${SHIPPED_WEIGHT} again`,
  cures: ['scheduling-stopped', 'foreign-scheduler'],
  precondition: (picture, target) => weightHolds(picture, target, (weight) => weight === 0),
  call: (target, picture) => weigh(picture, target, SHIPPED_WEIGHT),
  inverse: (picture, target) => {
    const old = weightsOf(picture, target)?.leader ?? 0;
    return { kind: 'restore', describe: `set it to ${old}`, call: weigh(picture, target, old) };
  },
  isDone: (picture, target) => weightHolds(picture, target, (weight) => weight > 0),
  timeoutMs: 15_000,
  capacity: 'always',
};

/** PD takes both weights or none. */
const weigh = (picture: TikvPicture, target: Target, leader: number): HttpCall => {
  const region = weightsOf(picture, target)?.region ?? SHIPPED_WEIGHT;
  return changePd('POST', `/store/${idInPd(picture, target) ?? 'unknown'}/weight`, JSON.stringify({ leader, region }));
};

const weightsOf = (picture: TikvPicture, target: Target): StoreWeights | null =>
  pdStoreNamed(picture, target)?.weights ?? null;

function weightHolds(picture: TikvPicture, target: Target, holds: (weight: number) => boolean): Judged {
  const weights = weightsOf(picture, target);
  if (weights === null) return unknown(`the leader weight of ${target} is not known`);
  const words = `the leader weight of ${target} is ${weights.leader}`;
  return holds(weights.leader) ? yes(words) : no(words);
}
