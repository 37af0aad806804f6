import type { Target } from '../../../src/domain/ids.js';
import type { HttpCall } from '../../../src/domain/query.js';
import type { Action, Judged } from '../../protocol.js';
import { allOf, no, unknown, yes } from '../causes/judged.js';
import { storeNamed } from '../picture/look-up.js';
import type { StoreState, TikvPicture } from '../picture.js';
import { changePd, idInPd } from '../services.js';
import { processRuns } from './witnessed.js';

/**
 * Takes the removal of a store back. PD allows it until the last region has left and the store is a Tombstone; then it
 * answers 410, and the store can only join anew, without its data.
 */
export const cancelRemoval: Action<TikvPicture> = {
  name: 'cancel-removal',
  describe: (target) => `take the removal of ${target} back`,
  cures: ['store-offline'],
  precondition: (picture, target) => allOf(inState(picture, target, 'Offline'), processRuns(picture, target)),
  call: (target, picture) => setState(picture, target, 'Up'),
  inverse: (picture, target) => ({
    kind: 'restore',
    describe: `remove ${target} again`,
    call: setState(picture, target, 'Offline'),
  }),
  isDone: (picture, target) => inState(picture, target, 'Up'),
  timeoutMs: 15_000,
};

const setState = (picture: TikvPicture, target: Target, state: 'Up' | 'Offline'): HttpCall =>
  changePd('POST', `/store/${idInPd(picture, target) ?? 'unknown'}/state?state=${state}`);

/** PD's own word, old as it may be: a removal is a record, not an opinion on heartbeats. */
function inState(picture: TikvPicture, target: Target, wanted: StoreState): Judged {
  const pd = storeNamed(picture, target)?.pd;
  if (!pd?.known) return unknown(`PD does not tell of ${target}: ${pd?.reason ?? 'it is no store'}`);
  if (pd.value === null) return no(`PD does not list ${target}`);
  const words = `PD calls ${target} ${pd.value.state}`;
  return pd.value.state === wanted ? yes(words) : no(words);
}
