import type { Target } from '../../../src/domain/ids.js';
import { mapReading, type Reading } from '../../../src/domain/reading.js';
import type { ScoreRise, TikvPicture } from '../picture.js';
import { PROFILES } from '../profiles.js';
import { ageIn, storeNamed, timesOf } from './look-up.js';
import { isFreshlyUp, pdOpinionOf } from './pd-opinion.js';

/** Whom a store's network trouble is with, by the scores that rose. */
export interface NetworkTrouble {
  /** Rises of others about it that stand. */
  readonly about: readonly ScoreRise[];
  /** Its own rises about others that stand. */
  readonly by: readonly ScoreRise[];
  /** The stores on the other side of either. */
  readonly with: ReadonlySet<string>;
  /** Stores whose rise about it fell within the last region heartbeat: under loss scores climb and fall. */
  readonly lately: ReadonlySet<string>;
  /** Somebody finds it really slow; a lossy link begins with small rises of the others. */
  readonly isSlow: boolean;
}

/** Network scores that rose between this store and others. */
export function networkTroubleOf(picture: TikvPicture, store: Target): Reading<NetworkTrouble> {
  const { networkScore } = PROFILES[picture.profile].remark;
  return mapReading(picture.vitals.trends.rises, (rises) => {
    const network = rises.filter(({ kind, fellAt }) => kind === 'network' && fellAt === null);
    const fallen = rises.filter(({ kind, fellAt, about }) => kind === 'network' && fellAt !== null && about === store);
    const about = network.filter((rise) => rise.about === store);
    const by = network.filter(({ reporter }) => reporter === store);
    return {
      about,
      by,
      with: new Set([...about.map(({ reporter }) => reporter), ...by.map((rise) => rise.about)]),
      lately: new Set(fallen.map(({ reporter }) => reporter)),
      isSlow: about.some(({ to }) => to >= networkScore),
    };
  });
}

/**
 * The rise of PD's slow_score of this store, which its own disk and processor raise and no network does. It grows by up to
 * the double per round, so that one bad moment lifts a high leftover by a quarter: less than the double means nothing.
 */
export function slowRiseOf(picture: TikvPicture, store: Target): Reading<ScoreRise | null> {
  const { slowScore } = PROFILES[picture.profile].remark;
  return mapReading(
    picture.vitals.trends.rises,
    (rises) =>
      rises.find(
        ({ kind, about, from, to, fellAt }) =>
          kind === 'store' && about === store && fellAt === null && to >= slowScore && to >= 2 * from,
      ) ?? null,
  );
}

/** The store that most others find slow, when at least two do: in its trouble they look slow to it, too. */
export function mostBlamed(picture: TikvPicture): Target | null {
  const blamed = picture.vitals.stores.map(({ name }) => {
    const trouble = networkTroubleOf(picture, name);
    return { name, count: trouble.known && trouble.value.isSlow ? trouble.value.about.length : 0 };
  });
  const most = blamed.reduce((a, b) => (b.count > a.count ? b : a), { name: '', count: 0 });
  return most.count >= 2 ? most.name : null;
}

/** Leaders that a store had within the last region heartbeat, and has. */
export interface LeaderLoss {
  readonly most: number;
  readonly now: number;
  /** It lost at least half of them, and not just one or two. */
  readonly isLoss: boolean;
}

export function leaderLossOf(picture: TikvPicture, name: Target): Reading<LeaderLoss> | null {
  const store = storeNamed(picture, name);
  if (!store?.pd.known || store.pd.value === null) return null;
  const now = store.pd.value.leaders;
  const { leaderLoss } = PROFILES[picture.profile].remark;
  return mapReading(picture.vitals.trends.mostLeaders, (counts) => {
    const most = Math.max(now, counts[name] ?? now);
    return { most, now, isLoss: most - now >= leaderLoss && now <= most / 2 };
  });
}

/** Lost its leaders although PD hears of it and its process runs. A restart in that time explains the loss. */
export function isDrained(picture: TikvPicture, name: Target): boolean {
  const store = storeNamed(picture, name);
  const loss = leaderLossOf(picture, name);
  if (!store?.witness.known || store.witness.value.state !== 'running' || !loss?.known) return false;
  if (ageIn(picture, store.witness.value.startedAt) <= timesOf(picture).regionHeartbeatMs) return false;
  return loss.value.isLoss && isFreshlyUp(picture, pdOpinionOf(picture, store));
}

/** How long the status port has answered nothing; 0 when it answers. */
export function deafMs(picture: TikvPicture, name: Target): number {
  const since = picture.vitals.trends.deafSince[name];
  return since === undefined ? 0 : ageIn(picture, since);
}

/** How long the client port has been known not to take connections; 0 when it does or was not tried. */
export function shutMs(picture: TikvPicture, name: Target): number {
  const since = picture.vitals.trends.shutSince[name];
  return since === undefined ? 0 : ageIn(picture, since);
}

/** How a store serves beside the others. */
export interface Service {
  readonly p50Ms: number;
  readonly othersMs: number;
  readonly isSlow: boolean;
}

/** `null`: too few stores served anything lately to compare. */
export function serviceOf({ profile, vitals: { probe } }: TikvPicture, name: Target): Service | null {
  if (!probe.known) return null;
  const { [name]: p50Ms, ...others } = probe.value.byStore;
  const times = Object.values(others).sort((a, b) => a - b);
  const othersMs = times[Math.floor((times.length - 1) / 2)];
  if (p50Ms === undefined || othersMs === undefined || times.length < 2) return null;
  const { storeP50Ms, slowerThanOthers } = PROFILES[profile].remark;
  return { p50Ms, othersMs, isSlow: p50Ms >= storeP50Ms && p50Ms >= slowerThanOthers * othersMs };
}
