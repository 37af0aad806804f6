import type { Invariant } from '../../protocol.js';
import { brakesOn, foreignSchedulers } from '../picture/orders.js';
import type { TikvPicture } from '../picture.js';
import { broken, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/** Shown only: evictions and pauses are tools of maintenance, too. */
export const ordersAsShipped: Invariant<TikvPicture> = {
  name: 'orders-as-shipped',
  title: 'PD schedules as it does by itself',
  use: 'evidence',
  check: ({ vitals: { scheduling } }) => {
    const foreign = foreignSchedulers(scheduling);
    const brakes = brakesOn(scheduling);
    const words = [...(foreign ?? []).map((name) => `${name} was added`), ...(brakes ?? [])];
    return checkOf('orders-as-shipped', 'pd', findingOf(words, foreign !== null && brakes !== null));
  },
};

function findingOf(words: readonly string[], isKnown: boolean): Finding {
  if (words.length > 0) return broken('medium', `PD is told otherwise: ${words.join(', ')}`);
  return isKnown ? HOLDS : UNKNOWN;
}
