import type { Invariant } from '../../protocol.js';
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

function spaceFinding(name: string, { available, capacity }: PdStore, { profile }: TikvPicture): Finding {
  const [free, whole] = [bytesOf(available), bytesOf(capacity)];
  if (free === null || whole === null || whole === 0) return UNKNOWN;
  if (free / whole >= PROFILES[profile].remark.freeRatio) return HOLDS;
  return broken('info', `${name} has ${available} of ${capacity} left`);
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** PD writes sizes with four digits and a binary unit: `192.7GiB`. */
function bytesOf(text: string): number | null {
  const match = /^([\d.]+)([KMGTP]?i?B)$/.exec(text);
  const power = UNITS.indexOf(match?.[2] ?? '');
  return match?.[1] && power >= 0 ? Number(match[1]) * 1024 ** power : null;
}
