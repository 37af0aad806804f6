import type { Target } from '../../../src/domain/ids.js';
import type { HttpCall } from '../../../src/domain/query.js';
import type { Action, Judged } from '../../protocol.js';
import { no, unknown, yes } from '../causes/judged.js';
import {
  isStrangled,
  type LimitName,
  limitOf,
  SHIPPED_LIMITS,
  SHIPPED_STORE_LIMIT,
  type StoreLimitName,
  storeLimitOf,
} from '../picture/orders.js';
import type { TikvPicture } from '../picture.js';
import { changePd, idInPd } from '../services.js';

/** Puts a limit of PD that is 0 back to what PD ships with. The target is the setting: `leader-schedule-limit`. */
export const restoreLimit: Action<TikvPicture> = {
  name: 'restore-limit',
  describe: (target) => `set ${target} to ${isLimit(target) ? SHIPPED_LIMITS[target] : 'what PD ships with'} again`,
  cures: ['scheduling-stopped', 'foreign-scheduler'],
  precondition: (picture, target) => limitHolds(picture, target, (value) => value === 0),
  call: (target) => setLimit(target, isLimit(target) ? SHIPPED_LIMITS[target] : 0),
  inverse: (picture, target) => {
    const old = (isLimit(target) && limitOf(picture.vitals.scheduling, target)) || 0;
    return { kind: 'restore', describe: `set ${target} to ${old}`, call: setLimit(target, old) };
  },
  isDone: (picture, target) => limitHolds(picture, target, (value) => value > 0),
  timeoutMs: 15_000,
  capacity: 'always',
};

/** The same for how fast one store may take peers, or give them away. The target is the store. */
export const restoreAddPeerLimit = restoreStoreLimit('add-peer');
export const restoreRemovePeerLimit = restoreStoreLimit('remove-peer');

function restoreStoreLimit(limit: StoreLimitName): Action<TikvPicture> {
  const set = (picture: TikvPicture, target: Target, rate: number): HttpCall =>
    changePd('POST', `/store/${idInPd(picture, target) ?? 'unknown'}/limit`, JSON.stringify({ type: limit, rate }));
  return {
    name: `restore-${limit}-limit`,
    describe: (target) => `set the ${limit} limit of ${target} to ${SHIPPED_STORE_LIMIT} a minute again`,
    cures: ['scheduling-stopped', 'foreign-scheduler'],
    precondition: (picture, target) => storeLimitHolds(picture, { target, limit }, isStrangled),
    call: (target, picture) => set(picture, target, SHIPPED_STORE_LIMIT),
    inverse: (picture, target) => {
      const old = storeLimitOf(picture, target, limit) ?? SHIPPED_STORE_LIMIT;
      return { kind: 'restore', describe: `set it to ${old} a minute`, call: set(picture, target, old) };
    },
    isDone: (picture, target) => storeLimitHolds(picture, { target, limit }, (rate) => !isStrangled(rate)),
    timeoutMs: 15_000,
    capacity: 'always',
  };
}

const isLimit = (name: string): name is LimitName => Object.hasOwn(SHIPPED_LIMITS, name);

const setLimit = (name: string, value: number): HttpCall =>
  changePd('POST', '/config/schedule', JSON.stringify({ [name]: value }));

function limitHolds(picture: TikvPicture, target: Target, holds: (value: number) => boolean): Judged {
  if (!isLimit(target)) return no(`${target} is no limit that Medic restores`);
  const value = limitOf(picture.vitals.scheduling, target);
  if (value === null) return unknown(`${target} is not known`);
  return holds(value) ? yes(`${target} is ${value}`) : no(`${target} is ${value}`);
}

interface OfStore {
  readonly target: Target;
  readonly limit: StoreLimitName;
}

function storeLimitHolds(picture: TikvPicture, { target, limit }: OfStore, holds: (rate: number) => boolean): Judged {
  const rate = storeLimitOf(picture, target, limit);
  if (rate === null) return unknown(`the ${limit} limit of ${target} is not known`);
  const words = `the ${limit} limit of ${target} is ${rate} a minute`;
  return holds(rate) ? yes(words) : no(words);
}
