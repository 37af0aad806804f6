import type { Target } from '../../../src/domain/ids.js';
import type { Action, Judged } from '../../protocol.js';
import { allOf, no, unknown, yes } from '../causes/judged.js';
import { pdNamed, storeNamed } from '../picture/look-up.js';
import type { TikvPicture } from '../picture.js';
import { startNode } from '../services.js';
import { processDied, processRuns } from './witnessed.js';

const RESTORATIVE = { kind: 'none', why: 'restorative: it takes nothing away' } as const;

export const startStore: Action<TikvPicture> = {
  name: 'start-store',
  describe: (target) => `start the store ${target}`,
  cures: ['process-dead'],
  precondition: (picture, target) =>
    storeNamed(picture, target) ? processDied(picture, target) : no(`${target} is no store of this cluster`),
  call: startNode,
  inverse: () => RESTORATIVE,
  isDone: (picture, target) =>
    storeNamed(picture, target) ? processRuns(picture, target) : unknown(`no witness of ${target}: it is no store`),
  timeoutMs: 30_000,
};

/** PD may be the patient: only the host's word counts. Of two that died each is started by itself. */
export const startPdMember: Action<TikvPicture> = {
  name: 'start-pd-member',
  describe: (target) => `start the PD member ${target}`,
  cures: ['pd-member-dead', 'pd-quorum-lost'],
  precondition: (picture, target) =>
    pdNamed(picture, target)
      ? allOf(processDied(picture, target), hasItsData(picture, target))
      : no(`${target} is no PD member of this cluster`),
  call: startNode,
  inverse: () => RESTORATIVE,
  isDone: (picture, target) =>
    pdNamed(picture, target) ? processRuns(picture, target) : unknown(`no witness of ${target}: it is no PD member`),
  timeoutMs: 30_000,
};

/** A member that starts without its data is a stranger with a known name: it votes again on what it had agreed to. */
function hasItsData(picture: TikvPicture, target: Target): Judged {
  const witness = pdNamed(picture, target)?.witness;
  const hasData = witness?.known ? witness.value.hasData : undefined;
  if (hasData === undefined) return unknown(`the host does not say whether the data of ${target} is there`);
  return hasData ? yes(`the data of ${target} is there`) : no(`the data of ${target} is gone`);
}
