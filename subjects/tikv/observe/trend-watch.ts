import type { Instant } from '../../../src/domain/ids.js';
import { gap, known, mapReading, type Reading } from '../../../src/domain/reading.js';
import { doesAnswer } from '../picture/look-up.js';
import type { PdLeadership, PdStore, ScoreRise, Store, Trends } from '../picture.js';
import { followScore, type NamedScore, type ScoreMemory, type ScoreName, scoresOf } from './score-memory.js';

/** What a trend is made from. */
export interface Sight {
  readonly at: Instant;
  readonly leadership: Reading<PdLeadership>;
  readonly stores: readonly Store[];
}

/**
 * Turns samples into trends. One per process: it remembers. `windowMs`: how long leader counts and fallen scores are
 * remembered.
 */
export function createTrendWatch(windowMs: number): (sight: Sight) => Trends {
  const risesOf = createScoreWatch(windowMs);
  const mostLeadersOf = createCountWatch(windowMs);
  let deafSince: Since = {};
  let shutSince: Since = {};
  return (sight) => {
    deafSince = stillSilent(sight, deafSince, ({ reach }) => mapReading(reach, doesAnswer));
    shutSince = stillSilent(sight, shutSince, ({ clientPort }) =>
      mapReading(clientPort, ({ kind }) => kind === 'open'),
    );
    return { rises: risesOf(sight), mostLeaders: mostLeadersOf(sight), deafSince, shutSince };
  };
}

interface Followed {
  readonly name: ScoreName;
  readonly memory: ScoreMemory;
}

function createScoreWatch(windowMs: number): (sight: Sight) => Trends['rises'] {
  let followed: readonly Followed[] = [];
  let looks = 0;
  return ({ at, stores }) => {
    const seen = { at, source: 'scores in PD, as watched' };
    const listed = listedStores(stores);
    if (listed.length === 0) return gap('PD tells no score', seen);
    const isFirstLook = looks === 0;
    looks += 1;
    followed = scoresNow(listed, followed).map(({ name, score }) => ({
      name,
      memory: followScore(memoryOf(followed, name), { score, at, isFirstLook }),
    }));
    if (isFirstLook) return gap('scores were looked at only once, so none can be seen to rise', seen);
    return known(
      followed.flatMap((one) => lateRise(one, Date.parse(at) - windowMs)),
      seen,
    );
  };
}

/**
 * A network score that its reporter no longer tells has decayed to 1. A store without slow_score has told this PD leader
 * nothing yet, so what it said before stands.
 */
function scoresNow(listed: readonly Listed[], before: readonly Followed[]): readonly NamedScore[] {
  const told = listed.flatMap(([store, pd]) => (pd.slowScore === null ? [] : scoresOf(store, pd)));
  const silent = new Set(listed.flatMap(([store, pd]) => (pd.slowScore === null ? [store] : [])));
  const reporters = new Set(listed.map(([store]) => store));
  const untold = before.filter(
    ({ name }) => reporters.has(name.reporter) && !told.some((score) => isSame(score.name, name)),
  );
  return [...told, ...untold.map(({ name, memory }) => ({ name, score: silent.has(name.reporter) ? memory.now : 1 }))];
}

/** A rise that stands, or fell within the window. */
function lateRise({ name, memory: { floor, now, rise } }: Followed, from: number): ScoreRise[] {
  if (!rise || (rise.fellAt !== null && Date.parse(rise.fellAt) < from)) return [];
  const { since, fellAt } = rise;
  return [{ ...name, from: fellAt === null ? floor : rise.peak, to: now, since, fellAt }];
}

const memoryOf = (followed: readonly Followed[], name: ScoreName): ScoreMemory | null =>
  followed.find((one) => isSame(one.name, name))?.memory ?? null;

const isSame = (a: ScoreName, b: ScoreName): boolean =>
  a.kind === b.kind && a.reporter === b.reporter && a.about === b.about;

type Counts = Readonly<Record<string, number>>;

function createCountWatch(windowMs: number): (sight: Sight) => Trends['mostLeaders'] {
  let samples: readonly { readonly at: Instant; readonly leaders: Counts }[] = [];
  let reign = '';
  return ({ at, leadership, stores }) => {
    const seen = { at, source: 'leader counts in PD, as watched' };
    const listed = listedStores(stores);
    if (!leadership.known || listed.length === 0) return gap('PD tells no leader counts', seen);
    const { leader, seenSince } = leadership.value;
    // A new PD leader counts from nothing: its low counts are no loss.
    const kept = reign === `${leader} ${seenSince}` ? samples : [];
    reign = `${leader} ${seenSince}`;
    const leaders = Object.fromEntries(listed.map(([name, store]) => [name, store.leaders]));
    const oldest = Date.parse(at) - windowMs;
    samples = [...kept.filter((sample) => Date.parse(sample.at) >= oldest), { at, leaders }];
    return known(highest(samples.map((sample) => sample.leaders)), seen);
  };
}

function highest(samples: readonly Counts[]): Counts {
  const most: Record<string, number> = {};
  for (const sample of samples)
    for (const [name, count] of Object.entries(sample)) most[name] = Math.max(count, most[name] ?? 0);
  return most;
}

type Since = Readonly<Record<string, Instant>>;

/** A port that was not asked, or that may have been asked badly, stays what it was. */
function stillSilent({ at, stores }: Sight, before: Since, answers: (store: Store) => Reading<boolean>): Since {
  return Object.fromEntries(
    stores.flatMap((store): [string, Instant][] => {
      const since = before[store.name];
      const answer = answers(store);
      if (answer.known) return answer.value ? [] : [[store.name, since ?? at]];
      return since === undefined ? [] : [[store.name, since]];
    }),
  );
}

type Listed = readonly [string, PdStore];

const listedStores = (stores: readonly Store[]): readonly Listed[] =>
  stores.flatMap(({ name, pd }) => (pd.known && pd.value ? [[name, pd.value] as const] : []));
