import type { Expectation } from '../../../src/domain/expectation.js';
import type { PdStore, TikvPicture } from '../picture.js';
import { PROFILES } from '../profiles.js';
import { ageIn, pdNamed, timesOf } from './look-up.js';
import { pdOpinionOf } from './pd-opinion.js';
import { ageWords, witnessWords } from './words.js';

/** What in a picture of TiKV looks wrong and is as it should be. */
export const expectationsOf = (picture: TikvPicture): readonly Expectation[] => [
  ...plannedStops(picture),
  ...coldStart(picture),
  ...evenByScore(picture),
];

/** The host says that somebody asked for the end of the process. */
function plannedStops({ vitals }: TikvPicture): Expectation[] {
  return [...vitals.stores, ...vitals.pd].flatMap(({ name, witness }) =>
    witness.known && witness.value.state === 'exited' && witness.value.stoppedByRequest
      ? [{ kind: 'planned-stop', target: name, reason: `${name} ${witnessWords(witness.value)}` }]
      : [],
  );
}

/**
 * A PD whose leader has just started schedules nothing until 80 % of all regions, and of those of each store, have
 * reported, for at most five minutes (PD: the coordinator's wait for its prepare checker). It has no target: it excuses
 * that nothing moves, never a PD that does not serve.
 */
function coldStart(picture: TikvPicture): Expectation[] {
  const { leadership } = picture.vitals;
  if (!leadership.known || leadership.value.leader === null) return [];
  const { leader } = leadership.value;
  const startedAt = pdNamed(picture, leader)?.startedAt;
  if (!startedAt?.known) return [];
  const ageMs = ageIn(picture, startedAt.value);
  const { coldStartMs } = timesOf(picture);
  if (ageMs > coldStartMs) return [];
  const reason = `PD's leader ${leader} started ${ageWords(ageMs)} ago; PD schedules nothing for up to ${ageWords(coldStartMs)}`;
  return [{ kind: 'cold-start', target: null, reason }];
}

/** PD balances scores, not counts: with weights or sizes that differ, equal scores mean uneven counts. */
function evenByScore(picture: TikvPicture): Expectation[] {
  const opinions = picture.vitals.stores.map((store) => pdOpinionOf(picture, store));
  const stores = opinions.flatMap((opinion) => (opinion.kind === 'listed' ? [opinion.store] : []));
  if (stores.length < opinions.length || stores.some(({ state }) => state !== 'Up')) return [];
  const { leaderSpread } = PROFILES[picture.profile].remark;
  return COUNTED.flatMap(({ what, count, score }) => {
    const [least, most] = range(stores.map(count));
    if (most - least <= leaderSpread || !areEqual(stores.map(score))) return [];
    const reason = `${what} per store range from ${least} to ${most}, and PD's scores of them are equal`;
    return [{ kind: 'even-by-score' as const, target: null, reason }];
  });
}

const COUNTED: readonly {
  readonly what: string;
  readonly count: (store: PdStore) => number;
  readonly score: (store: PdStore) => number;
}[] = [
  { what: 'leaders', count: (store) => store.leaders, score: (store) => store.leaderScore },
  { what: 'regions', count: (store) => store.regions, score: (store) => store.regionScore },
];

/** Scores nearer than this are equal: PD moves nothing for less than its tolerance. */
const EQUAL_WITHIN = 0.1;

function areEqual(scores: readonly number[]): boolean {
  const [least, most] = range(scores);
  return most > 0 && most - least <= EQUAL_WITHIN * most;
}

const range = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)];
