import { isNotAvailable } from '../../../src/domain/evidence.js';
import type { Instant, Target } from '../../../src/domain/ids.js';
import { type Gap, gap, type Reading } from '../../../src/domain/reading.js';
import type { PdMember, Reach, Store, TikvPicture, Witness } from '../picture.js';
import { type ClusterTimes, PROFILES } from '../profiles.js';

/** The thresholds that apply to this picture. */
export const timesOf = ({ profile }: TikvPicture): ClusterTimes => PROFILES[profile].cluster;

export const storeNamed = ({ vitals }: TikvPicture, name: Target): Store | null =>
  vitals.stores.find((store) => store.name === name) ?? null;

export const pdNamed = ({ vitals }: TikvPicture, name: Target): PdMember | null =>
  vitals.pd.find((member) => member.name === name) ?? null;

/** The host's word on a node of either kind. */
export function witnessOf(picture: TikvPicture, node: Target): Reading<Witness> {
  const found = storeNamed(picture, node) ?? pdNamed(picture, node);
  return found?.witness ?? notInPicture(picture, node);
}

/** Our own client's look at a node of either kind. */
export function reachOf(picture: TikvPicture, node: Target): Reading<Reach> {
  const found = storeNamed(picture, node) ?? pdNamed(picture, node);
  return found?.reach ?? notInPicture(picture, node);
}

export const doesAnswer = (reach: Reach): boolean => reach.kind === 'answers' && reach.status === 200;

/** There is no way to look there, so that nothing is known says nothing. */
export const isClosedToUs = (reading: Reading<unknown>): boolean => !reading.known && isNotAvailable(reading.reason);

/** Milliseconds from then to the picture; negative when it lies after it. */
export const ageIn = ({ at }: TikvPicture, then: Instant): number => Date.parse(at) - Date.parse(then);

const notInPicture = ({ at }: TikvPicture, node: Target): Gap =>
  gap(`${node} is not in the picture`, { at, source: 'picture' });
