import type { Invariant } from '../../protocol.js';
import { timesOf } from '../picture/look-up.js';
import { isFreshlyUp, pdOpinionOf, youthOfLeader } from '../picture/pd-opinion.js';
import type { TikvPicture } from '../picture.js';
import { broken, checkOf, type Finding, HOLDS, UNKNOWN } from './check.js';

/** A store that leads this part of the regions it holds has taken what it can: the usual part is a third. */
const OF_ITS_REGIONS = 0.9;
/** Of all leader scores. Below it others lead as much. */
const OF_ALL_SCORES = 0.5;
/** With fewer leaders for each store a difference is everyday. */
const LEADERS_PER_STORE = 2;
/** Beside it: where fewer are Up, they lead what the others lost. */
const OTHERS_UP = 2;

/**
 * One store leads everything it can (leaders move only to stores that hold a peer), while others are Up. By score, which is what PD evens out: weights that differ
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
  if (up.length <= OTHERS_UP || leaders < LEADERS_PER_STORE * up.length) return HOLDS;
  const scores = listed.map(({ opinion }) => opinion.store.leaderScore);
  const alone = up.find(
    ({ opinion: { store } }) =>
      store.leaders >= OF_ITS_REGIONS * store.regions && store.leaderScore >= OF_ALL_SCORES * sum(scores),
  );
  if (!alone) return HOLDS;
  const { store } = alone.opinion;
  const share = `${store.leaders} of its ${store.regions} regions, ${leaders} are led in all`;
  return broken('medium', `${alone.name} leads ${share}, while ${up.length - 1} others are Up`);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
