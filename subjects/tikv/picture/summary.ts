import { factOf, type Reading } from '../../../src/domain/reading.js';
import type { ScoreRise, Store, TikvPicture } from '../picture.js';
import { doesAnswer, isClosedToUs } from './look-up.js';
import { brakesIn, brakeWords, foreignSchedulers } from './orders.js';
import { pdOpinionOf } from './pd-opinion.js';
import { membersInQuorum, memberWords, pdMajority } from './pd-quorum.js';
import { isDrained } from './trends.js';
import { ageWords, reachWords, regionsHave, witnessWords } from './words.js';

/** Stores that are spelled out; a cluster with more troubles has one trouble above them. */
const MOST_STORES = 6;

/** The picture in at most 12 lines, the first one being the headline. */
export function summaryOf(picture: TikvPicture): readonly string[] {
  const troubled = picture.vitals.stores.filter((store) => !isInOrder(picture, store));
  return [
    headline(picture),
    ...troubled.slice(0, MOST_STORES).map((store) => storeLine(picture, store)),
    pdLine(picture),
    regionsLine(picture),
    leadersLine(picture),
    probeLine(picture),
    ...signsLine(picture),
    ...closedLine(picture),
  ];
}

function headline(picture: TikvPicture): string {
  const { stores, regions } = picture.vitals;
  const up = stores.filter((store) => stateOf(picture, store) === 'Up');
  // PD calls a dead store Up until its heartbeat is overdue.
  const doubted = up.filter((store) => !isInOrder(picture, store)).map(({ name }) => name);
  const doubt = doubted.length > 0 ? ` (${doubted.join(', ')} by PD's word only)` : '';
  const pending = regions.pendingPeer.known ? regions.pendingPeer.value : 0;
  const extra = pending > 0 ? `, ${regionsHave(pending)} a pending peer` : '';
  return `${up.length} of ${stores.length} stores Up${doubt}, ${pdWord(picture)}${extra}`;
}

function pdWord(picture: TikvPicture): string {
  const { leadership } = picture.vitals;
  const { voters, need } = pdMajority(picture);
  const count = membersInQuorum(picture).length;
  if (count < need || !leadership.known) return 'PD unreadable';
  return count === voters.length ? 'PD ok' : `PD ${count} of ${voters.length}`;
}

function isInOrder(picture: TikvPicture, store: Store): boolean {
  const runs = isClosedToUs(store.witness) || (store.witness.known && store.witness.value.state === 'running');
  const answers = isClosedToUs(store.reach) || (store.reach.known && doesAnswer(store.reach.value));
  return runs && answers && stateOf(picture, store) === 'Up';
}

function stateOf(picture: TikvPicture, store: Store): string {
  const opinion = pdOpinionOf(picture, store);
  if (opinion.kind !== 'listed') return opinion.kind;
  return opinion.store.state;
}

function storeLine(picture: TikvPicture, store: Store): string {
  const port = wordsOf(store.reach, reachWords);
  const host = wordsOf(store.witness, witnessWords);
  return `${store.name}: ${opinionWords(picture, store)}; status port: ${port}; host: ${host}`;
}

function opinionWords(picture: TikvPicture, store: Store): string {
  const opinion = pdOpinionOf(picture, store);
  if (opinion.kind === 'unknown') return `PD's opinion unknown (${opinion.why})`;
  if (opinion.kind === 'unlisted') return 'not listed by PD';
  const { state, leaders, pendingPeers } = opinion.store;
  const age = opinion.silentMs === null ? 'no heartbeat ever' : `heartbeat ${ageWords(opinion.silentMs)} ago`;
  return `PD says ${state}, ${age}, ${leaders} leaders, ${pendingPeers} pending peers`;
}

function pdLine(picture: TikvPicture): string {
  const { leadership, pd } = picture.vitals;
  const leader = leadership.known ? `leader ${leadership.value.leader ?? 'none'}` : `unreadable: ${leadership.reason}`;
  return `PD: ${leader}; ${pd.map(memberWords).join(', ')}`;
}

function regionsLine({ vitals: { regions } }: TikvPicture): string {
  const count = (reading: Reading<number>) => wordsOf(reading, String);
  return (
    `regions: ${count(regions.total)}, with leader ${count(regions.withLeader)}, pending peer ` +
    `${count(regions.pendingPeer)}, down peer ${count(regions.downPeer)}, missing peer ${count(regions.missingPeer)}`
  );
}

function leadersLine(picture: TikvPicture): string {
  const counts = picture.vitals.stores.map((store) => {
    const opinion = pdOpinionOf(picture, store);
    return `${store.name} ${opinion.kind === 'listed' ? opinion.store.leaders : '?'}`;
  });
  return `leaders: ${counts.slice(0, 2 * MOST_STORES).join(', ')}`;
}

function probeLine({ vitals: { probe } }: TikvPicture): string {
  if (!probe.known) return `probe: ${probe.reason}`;
  const { regionsOk, regionsFailed, errors, p99Ms } = probe.value;
  const kinds = Object.keys(errors).join(', ');
  const trouble = regionsFailed > 0 ? `, ${regionsFailed} fail (${kinds})` : '';
  return `probe: ${regionsOk} of ${regionsOk + regionsFailed} regions served, p99 ${p99Ms ?? '-'} ms${trouble}`;
}

/** What cannot be looked at, whatever happens: a reasoner must not wait for it. */
function closedLine({ vitals: { stores } }: TikvPicture): readonly string[] {
  const closed = stores.filter(({ reach }) => isClosedToUs(reach)).map(({ name }) => name);
  const words = [
    ...(stores.some(({ witness }) => isClosedToUs(witness))
      ? ['hosts: not available, nobody can be asked about processes']
      : []),
    ...(closed.length > 0 ? [`status ports not available: ${closed.slice(0, 2 * MOST_STORES).join(', ')}`] : []),
  ];
  return words.length === 0 ? [] : [words.join('; ')];
}

/** What only watching tells, and what PD was told; no line when there is nothing of it. */
function signsLine(picture: TikvPicture): readonly string[] {
  const { scheduling, stores, trends } = picture.vitals;
  const rises = (factOf(trends.rises) ?? []).filter(({ fellAt }) => fellAt === null);
  const drained = stores.filter(({ name }) => isDrained(picture, name)).map(({ name }) => `leaders left ${name}`);
  const orders = [...(foreignSchedulers(scheduling) ?? []), ...(brakesIn(picture) ?? []).map(brakeWords)];
  const words = [
    ...(rises.length > 0 ? [`scores that rose: ${rises.slice(0, MOST_RISES).map(riseWords).join(', ')}`] : []),
    ...drained,
    ...(orders.length > 0 ? [`PD is told: ${orders.join(', ')}`] : []),
  ];
  return words.length === 0 ? [] : [`signs: ${words.join('; ')}`];
}

/** A pair of stores has two, one store and all others a few more. */
const MOST_RISES = 6;

const riseWords = ({ kind, reporter, about, from, to }: ScoreRise): string =>
  kind === 'store' ? `slow_score of ${about} ${from} to ${to}` : `${reporter} about ${about} ${from} to ${to}`;

function wordsOf<T>(reading: Reading<T>, words: (value: T) => string): string {
  return reading.known ? words(reading.value) : `unknown (${reading.reason})`;
}
