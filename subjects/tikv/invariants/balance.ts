import type { Invariant } from '../../protocol.js';
import { freeRatioOf } from '../picture/free-space.js';
import { pdOpinionOf } from '../picture/pd-opinion.js';
import type { PdStore, TikvPicture } from '../picture.js';
import { PROFILES } from '../profiles.js';
import { broken, checkEach, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/** Shown only: after a repair PD leaves uneven counts alone, and nothing is wrong with them. */
export const leadersBalanced: Invariant<TikvPicture> = {
  name: 'leaders-balanced',
  title: 'leaders are spread over the stores',
  use: 'evidence',
  check: (picture) => checkOf('leaders-balanced', null, spreadFinding(picture)),
};

/** Shown only. */
export const storeHasSpace: Invariant<TikvPicture> = {
  name: 'store-has-space',
  title: 'each store has free space',
  use: 'evidence',
  check: (picture) =>
    checkEach('store-has-space', picture.vitals.stores, (store) => {
      const opinion = pdOpinionOf(picture, store);
      return opinion.kind === 'listed' ? spaceFinding(store.name, opinion.store, picture) : UNKNOWN;
    }),
};

function spreadFinding(picture: TikvPicture): Finding {
  const opinions = picture.vitals.stores.map((store) => pdOpinionOf(picture, store));
  const counts = opinions.flatMap((opinion) => (opinion.kind === 'listed' ? [opinion.store.leaders] : []));
  if (counts.length < opinions.length || counts.length === 0) return UNKNOWN;
  const [most, least] = [Math.max(...counts), Math.min(...counts)];
  if (most - least <= PROFILES[picture.profile].remark.leaderSpread) return HOLDS;
  return broken('info', `leaders per store range from ${least} to ${most}`);
}

function spaceFinding(name: string, store: PdStore, { profile }: TikvPicture): Finding {
  const ratio = freeRatioOf(store);
  if (ratio === null) return UNKNOWN;
  if (ratio >= PROFILES[profile].remark.freeRatio) return HOLDS;
  return broken('info', `${name} has ${store.available} of ${store.capacity} left`);
}
