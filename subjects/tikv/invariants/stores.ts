import type { Invariant } from '../../protocol.js';
import { doesAnswer } from '../picture/look-up.js';
import { type PdOpinion, pdOpinionOf } from '../picture/pd-opinion.js';
import { ageWords, reachWords } from '../picture/words.js';
import type { Store, TikvPicture } from '../picture.js';
import { broken, checkEach, type Finding, HOLDS, UNKNOWN } from './check.js';

/** Our own client is refused at once by a dead process and gets no answer of a frozen one, long before PD notices. */
export const storeReachable: Invariant<TikvPicture> = {
  name: 'store-reachable',
  title: 'each store answers on its status port',
  use: 'files',
  check: ({ vitals }) => checkEach('store-reachable', vitals.stores, reachableFinding),
};

/** PD has fresh heartbeats of each store and nobody is removing it. */
export const storeUp: Invariant<TikvPicture> = {
  name: 'store-up',
  title: 'PD calls each store Up',
  use: 'files',
  check: (picture) =>
    checkEach('store-up', picture.vitals.stores, (store) => upFinding(store.name, pdOpinionOf(picture, store))),
};

function reachableFinding({ name, reach }: Store): Finding {
  if (!reach.known) return UNKNOWN;
  if (doesAnswer(reach.value)) return HOLDS;
  return broken('high', `${name} does not answer on its status port (${reachWords(reach.value)})`);
}

function upFinding(name: string, opinion: PdOpinion): Finding {
  if (opinion.kind === 'unknown') return UNKNOWN;
  if (opinion.kind === 'unlisted') return broken('high', `PD does not list ${name}`);
  const { state } = opinion.store;
  if (state === 'Up') return HOLDS;
  if (state === 'Offline') return broken('medium', `${name} is Offline: it is being removed`);
  return broken('high', `${name} is ${state} (${silenceWords(opinion.silentMs)})`);
}

function silenceWords(silentMs: number | null): string {
  return silentMs === null ? 'no heartbeat ever' : `last heartbeat ${ageWords(silentMs)} ago`;
}
