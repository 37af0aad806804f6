import type { Inverse } from '../../../src/domain/proposal.js';
import type { Action, Judged } from '../../protocol.js';
import { no, unknown, yes } from '../causes/judged.js';
import { foreignSchedulers } from '../picture/orders.js';
import type { TikvPicture } from '../picture.js';
import { changePd } from '../services.js';

/**
 * Takes away a scheduler that somebody added, or one store of it: the target is its name, for an evict or grant
 * scheduler followed by the store's id (`evict-leader-scheduler-4`), as PD's API has it. The scheduler goes with its last
 * store.
 */
export const removeScheduler: Action<TikvPicture> = {
  name: 'remove-scheduler',
  describe: (target) => `remove ${target} from PD`,
  cures: ['foreign-scheduler'],
  precondition: isThere,
  call: (target) => changePd('DELETE', `/schedulers/${target}`),
  inverse: (_, target) => addAgain(target),
  isDone: (picture, target) => opposite(isThere(picture, target)),
  timeoutMs: 15_000,
  capacity: 'always',
};

/** Ends a pause before its time. The target is the scheduler, or `all`. */
export const resumeScheduler: Action<TikvPicture> = {
  name: 'resume-scheduler',
  describe: (target) => (target === 'all' ? 'resume all schedulers of PD' : `resume ${target}`),
  cures: ['scheduling-stopped', 'foreign-scheduler'],
  precondition: isPaused,
  call: (target) => changePd('POST', `/schedulers/${target}`, '{"delay":0}'),
  inverse: () => ({ kind: 'none', why: 'a pause runs out by itself: whoever needs one longer pauses it anew' }),
  isDone: (picture, target) => opposite(isPaused(picture, target)),
  timeoutMs: 15_000,
  capacity: 'always',
};

/** Name and store of one of the two kinds that are made for stores; `null` for any other. */
export function storeSchedulerOf(target: string): { readonly scheduler: string; readonly id: string } | null {
  const [, scheduler, id] = /^((?:evict|grant)-leader-scheduler)-(\d+)$/.exec(target) ?? [];
  return scheduler !== undefined && id !== undefined ? { scheduler, id } : null;
}

/** Kinds that are made without anything but their name. */
const PLAIN = /^(shuffle-(leader|region|hot-region)|random-merge)-scheduler$/;

/** Can it be put back as it was? */
export const isRestorable = (target: string): boolean => storeSchedulerOf(target) !== null || PLAIN.test(target);

function addAgain(target: string): Inverse {
  const ofStore = storeSchedulerOf(target);
  if (!ofStore && !PLAIN.test(target))
    return { kind: 'irreversible', why: `what ${target} was made with is not known` };
  const body = ofStore ? `{"name":"${ofStore.scheduler}","store_id":${ofStore.id}}` : `{"name":"${target}"}`;
  return { kind: 'restore', describe: `add ${target} again`, call: changePd('POST', '/schedulers', body) };
}

function isThere({ vitals: { scheduling } }: TikvPicture, target: string): Judged {
  const foreign = foreignSchedulers(scheduling);
  if (foreign === null) return unknown('the schedulers of PD are not known');
  const ofStore = storeSchedulerOf(target);
  const words = (is: string) => `PD ${is} ${target}`;
  if (!ofStore) return foreign.includes(target) ? yes(words('has')) : no(words('has no added'));
  if (!foreign.includes(ofStore.scheduler)) return no(`PD has no ${ofStore.scheduler}`);
  if (!scheduling.held.known) return unknown(`the stores of ${ofStore.scheduler} are not known`);
  return scheduling.held.value[ofStore.scheduler]?.includes(ofStore.id) ? yes(words('has')) : no(words('has no'));
}

function isPaused({ vitals: { scheduling } }: TikvPicture, target: string): Judged {
  const { paused } = scheduling;
  if (!paused.known) return unknown('what PD has paused is not known');
  const is = target === 'all' ? paused.value.length > 0 : paused.value.includes(target);
  const words = paused.value.length === 0 ? 'nothing is paused' : `paused: ${paused.value.join(', ')}`;
  return is ? yes(words) : no(words);
}

function opposite({ verdict, reason }: Judged): Judged {
  return verdict === 'yes' ? no(reason) : verdict === 'no' ? yes(reason) : unknown(reason);
}
