import type { Target } from '../../src/domain/ids.js';
import { factOf } from '../../src/domain/reading.js';
import type { Violation } from '../../src/domain/violation.js';
import type { DiagnosisRule, Suspect } from '../protocol.js';
import { doesAnswer, storeNamed, timesOf } from './picture/look-up.js';
import { membersInQuorum, pdMajority } from './picture/pd-quorum.js';
import { deafMs, isDrained, mostBlamed, serviceOf, slowRiseOf } from './picture/trends.js';
import type { TikvPicture } from './picture.js';
import { orderSuspects } from './rules/order-suspects.js';
import { memberSuspects, pdStale } from './rules/pd-suspects.js';
import { quorumLost, quorumSuspects } from './rules/quorum-suspects.js';
import { diskFull } from './rules/serving-suspects.js';
import { storeSuspects } from './rules/store-suspects.js';
import { upstreamSuspects } from './rules/upstream-suspects.js';

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

/**
 * A store serves, but slowly, or others find it slow. In the trouble of one store others look slow to it, too, so the
 * one that most complain about is looked at.
 */
const slowStore: Rule = {
  name: 'slow-store',
  matches: (violations) =>
    targetOf(violations, 'store-not-slow') ??
    targetOf(violations, 'peers-fast') ??
    targetOf(violations, 'leaders-fast'),
  suspects: (target, picture) => [...storeSuspects(mostBlamed(picture) ?? target, picture), pdStale()],
};

/** The leaders of a store that runs went away, or PD is told something unusual. */
const movedLeaders: Rule = {
  name: 'moved-leaders',
  matches: (violations) =>
    targetOf(violations, 'leaders-spread') ??
    targetOf(violations, 'leaders-stay') ??
    targetOf(violations, 'orders-as-shipped'),
  suspects: (target, picture) => [
    ...orderSuspects(picture),
    ...(storeNamed(picture, target) ? storeSuspects(target, picture) : upstreamSuspects()),
    pdStale(),
  ],
};

const fullDisk: Rule = {
  name: 'full-disk',
  matches: (violations) => targetOf(violations, 'store-has-space'),
  suspects: (store, picture) => [diskFull(store, picture), pdStale()],
};

/** Only symptoms: the store that stands out in the picture is looked at. */
const symptomsOnly: Rule = {
  name: 'symptoms-only',
  matches: (violations) =>
    violations.length > 0 && violations.every(({ target }) => target === null) ? 'cluster' : null,
  suspects: (_, picture) => {
    const store = outstanding(picture);
    if (store === null) return [...orderSuspects(picture), ...upstreamSuspects(), pdStale()];
    return [...storeSuspects(store, picture), ...(isOver(picture, store) ? [] : orderSuspects(picture)), pdStale()];
  },
};

/** The first rule that matches is followed. */
export const RULES: readonly Rule[] = [storeTrouble, pdTrouble, slowStore, movedLeaders, fullDisk, symptomsOnly];

/** Changes whenever a rule, a look or a confidence changes: it is the rules' part of every thought's hash. */
export const RULES_VERSION = 'tikv-rules-4';

function targetOf(violations: readonly Violation[], invariant: string): Target | null {
  return violations.find((violation) => violation.invariant === invariant && violation.target !== null)?.target ?? null;
}

/** Without a quorum the members' ends are its reason, not rivals of it. */
function groupSuspects(picture: TikvPicture): readonly Suspect<TikvPicture>[] {
  const hasQuorum = membersInQuorum(picture).length >= pdMajority(picture).need;
  if (!hasQuorum) return quorumSuspects(picture);
  const deaf = picture.vitals.pd.filter(({ reach }) => reach.known && !doesAnswer(reach.value));
  return [quorumLost(picture), ...deaf.flatMap(({ name }) => memberSuspects(name))];
}

/** In the order in which signs are worth something: who ended, whose port is deaf, who is blamed, who waits for whom. */
function outstanding(picture: TikvPicture): Target | null {
  const names = picture.vitals.stores.map(({ name }) => name);
  const first = (holds: (name: Target) => boolean) => names.find(holds) ?? null;
  return (
    first((name) => isOver(picture, name)) ??
    first((name) => deafMs(picture, name) > timesOf(picture).storeHeartbeatMs / 2) ??
    first((name) => isRefusing(picture, name)) ??
    first((name) => factOf(slowRiseOf(picture, name)) !== null) ??
    mostBlamed(picture) ??
    first((name) => serviceOf(picture, name)?.isSlow ?? false) ??
    mostMissed(picture) ??
    first((name) => isDrained(picture, name))
  );
}

/** The host shows its process ended or stopped. */
function isOver(picture: TikvPicture, name: Target): boolean {
  const witness = storeNamed(picture, name)?.witness;
  return witness?.known === true && witness.value.state !== 'running';
}

function isRefusing(picture: TikvPicture, name: Target): boolean {
  const door = storeNamed(picture, name)?.clientPort;
  return door?.known === true && door.value.kind === 'refused';
}

function mostMissed({ vitals }: TikvPicture): Target | null {
  const missed = vitals.stores.map(({ name, pd }) => ({ name, peers: (pd.known && pd.value?.pendingPeers) || 0 }));
  const most = missed.reduce((a, b) => (b.peers > a.peers ? b : a), { name: '', peers: 0 });
  return most.peers > 0 ? most.name : null;
}
