import type { Invariant } from '../../protocol.js';
import { timesOf } from '../picture/look-up.js';
import { isFreshlyUp, pdOpinionOf, youthOfLeader } from '../picture/pd-opinion.js';
import type { TikvPicture } from '../picture.js';
import { broken, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/** One store with this part of all leader scores leads alone; PD leaves no such difference by itself. */
const CONCENTRATED = 0.9;
/** With fewer leaders for each store a difference is everyday. */
const LEADERS_PER_STORE = 2;

/**
 * All leaders on one store, while others are Up and could lead. By score, which is what PD evens out: weights that differ
 * make equal scores of uneven counts. It has no store as its target, for nothing is wrong with that one.
 */
export const leadersSpread: Invariant<TikvPicture> = {
  name: 'leaders-spread',
  title: 'no store leads everything',
  use: 'files',
  check: (picture) => checkOf('leaders-spread', 'cluster', spreadFinding(picture)),
};

function spreadFinding(picture: TikvPicture): Finding {
  const opinions = picture.vitals.stores.map((store) => ({ name: store.name, opinion: pdOpinionOf(picture, store) }));
  const listed = opinions.flatMap(({ name, opinion }) => (opinion.kind === 'listed' ? [{ name, opinion }] : []));
  // A PD leader that has just changed counts leaders from nothing.
  if (listed.length < opinions.length || youthOfLeader(picture, timesOf(picture).regionHeartbeatMs) !== null)
    return UNKNOWN;
  const up = listed.filter(({ opinion }) => isFreshlyUp(picture, opinion));
  const leaders = sum(listed.map(({ opinion }) => opinion.store.leaders));
  if (up.length < 2 || leaders < LEADERS_PER_STORE * up.length) return HOLDS;
  const scores = listed.map(({ opinion }) => opinion.store.leaderScore);
  const alone = up.find(({ opinion }) => opinion.store.leaderScore >= CONCENTRATED * sum(scores));
  if (!alone) return HOLDS;
  const count = alone.opinion.store.leaders;
  return broken('medium', `${alone.name} has ${count} of ${leaders} leaders, while ${up.length - 1} others are Up`);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
