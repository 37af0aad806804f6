import type { Invariant } from '../../protocol.js';
import { brakesIn, brakeWords, foreignSchedulers } from '../picture/orders.js';
import type { TikvPicture } from '../picture.js';
import { broken, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/**
 * Evictions and pauses are tools of maintenance, too: somebody has to say so then, or to end them. PD's own answer tells,
 * so that no load and no slowness can break it.
 */
export const ordersAsShipped: Invariant<TikvPicture> = {
  name: 'orders-as-shipped',
  title: 'PD schedules as it does by itself',
  use: 'files',
  check: (picture) => {
    const foreign = foreignSchedulers(picture.vitals.scheduling);
    const brakes = brakesIn(picture);
    const words = [...(foreign ?? []).map((name) => `${name} was added`), ...(brakes ?? []).map(brakeWords)];
    return checkOf('orders-as-shipped', 'cluster', findingOf(words, foreign !== null && brakes !== null));
  },
};

function findingOf(words: readonly string[], isKnown: boolean): Finding {
  if (words.length > 0) return broken('medium', `PD is told otherwise: ${words.join(', ')}`);
  return isKnown ? HOLDS : UNKNOWN;
}
