import type { Target } from '../../src/domain/ids.js';
import type { Violation } from '../../src/domain/violation.js';
import type { DiagnosisRule, Suspect } from '../protocol.js';
import { doesAnswer } from './picture/look-up.js';
import { membersInQuorum, pdMajority } from './picture/pd-quorum.js';
import type { TikvPicture } from './picture.js';
import { memberSuspects, pdStale, quorumLost } from './rules/pd-suspects.js';
import { storeSuspects } from './rules/store-suspects.js';

type Rule = DiagnosisRule<TikvPicture>;

/** One store does not serve. What PD alone says of a store is not believed while PD itself is in trouble. */
const storeTrouble: Rule = {
  name: 'store-trouble',
  matches: (violations) => {
    const deaf = targetOf(violations, 'store-reachable');
    if (deaf !== null) return deaf;
    return targetOf(violations, 'pd-quorum') === null ? targetOf(violations, 'store-up') : null;
  },
  suspects: (store, picture) => [...storeSuspects(store, picture), pdStale()],
};

/** PD itself is in trouble. */
const pdTrouble: Rule = {
  name: 'pd-trouble',
  matches: (violations) =>
    targetOf(violations, 'pd-quorum') ?? targetOf(violations, 'pd-leader') ?? targetOf(violations, 'pd-members'),
  suspects: (target, picture) => (target === 'pd' ? groupSuspects(picture) : memberSuspects(target)),
};

/** Only symptoms: the store that most peers wait for is looked at. */
const symptomsOnly: Rule = {
  name: 'symptoms-only',
  matches: (violations) =>
    violations.length > 0 && violations.every(({ target }) => target === null) ? 'cluster' : null,
  suspects: (_, picture) => {
    const store = mostMissed(picture);
    return store === null ? [pdStale()] : [...storeSuspects(store, picture), pdStale()];
  },
};

/** The first rule that matches is followed. */
export const RULES: readonly Rule[] = [storeTrouble, pdTrouble, symptomsOnly];

/** Changes whenever a rule, a look or a confidence changes: it is the rules' part of every thought's hash. */
export const RULES_VERSION = 'tikv-rules-1';

function targetOf(violations: readonly Violation[], invariant: string): Target | null {
  return violations.find((violation) => violation.invariant === invariant && violation.target !== null)?.target ?? null;
}

/** Without a quorum the members' ends are its reason, not rivals of it. */
function groupSuspects(picture: TikvPicture): readonly Suspect<TikvPicture>[] {
  const hasQuorum = membersInQuorum(picture).length >= pdMajority(picture).need;
  if (!hasQuorum) return [quorumLost(picture)];
  const deaf = picture.vitals.pd.filter(({ reach }) => reach.known && !doesAnswer(reach.value));
  return [quorumLost(picture), ...deaf.flatMap(({ name }) => memberSuspects(name))];
}

function mostMissed({ vitals }: TikvPicture): Target | null {
  const missed = vitals.stores.map(({ name, pd }) => ({ name, peers: (pd.known && pd.value?.pendingPeers) || 0 }));
  const most = missed.reduce((a, b) => (b.peers > a.peers ? b : a), { name: '', peers: 0 });
  return most.peers > 0 ? most.name : null;
}
