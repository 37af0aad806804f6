import type { Scheduling, TikvPicture } from '../picture.js';

/** Schedulers that a person adds for a purpose and takes away again; PD has none of them by itself. */
const ADDED_BY_HAND = /^(evict-leader|grant-leader|grant-hot-region|shuffle-|scatter-range|random-merge)/;

/** Schedulers that move leaders or replicas because somebody added them. `null`: PD did not tell. */
export const foreignSchedulers = ({ schedulers }: Scheduling): readonly string[] | null =>
  schedulers.known ? schedulers.value.filter((name) => ADDED_BY_HAND.test(name)) : null;

/** What PD ships with (v8.5), for every limit of which a fraction keeps PD from moving anything. */
export const SHIPPED_LIMITS = {
  'leader-schedule-limit': 4,
  'region-schedule-limit': 2048,
  'replica-schedule-limit': 64,
} as const;
export type LimitName = keyof typeof SHIPPED_LIMITS;

/** Peers that a store takes, or gives away, in a minute. */
export const SHIPPED_STORE_LIMIT = 15;
/** Below a tenth of what PD ships with nothing moves that anybody could wait for. */
const STRANGLED_BELOW = SHIPPED_STORE_LIMIT / 10;

export const STORE_LIMITS = ['add-peer', 'remove-peer'] as const;
export type StoreLimitName = (typeof STORE_LIMITS)[number];

/** What PD gives every store, for leaders and for regions. */
export const SHIPPED_WEIGHT = 1;

/** One thing that keeps PD from moving leaders or replicas. */
export type Brake =
  | { readonly kind: 'paused'; readonly scheduler: string }
  | { readonly kind: 'limit'; readonly limit: LimitName }
  | { readonly kind: 'halt' }
  /** A leader weight of 0: PD takes the store's leaders away and gives it none. */
  | { readonly kind: 'leader-weight'; readonly store: string }
  /** `store`: by our name. */
  | {
      readonly kind: 'store-limit';
      readonly store: string;
      readonly limit: StoreLimitName;
      readonly rate: number;
    };

/** `null`: not all of it could be read, and what could is in order. */
export function brakesIn(picture: TikvPicture): readonly Brake[] | null {
  const { paused, limits } = picture.vitals.scheduling;
  const brakes: readonly Brake[] = [
    ...(paused.known ? paused.value.map((scheduler) => ({ kind: 'paused' as const, scheduler })) : []),
    ...limitsAtZero(picture.vitals.scheduling),
    ...(limits.known && limits.value.halted ? [{ kind: 'halt' as const }] : []),
    ...strangledStores(picture),
    ...weightless(picture),
  ];
  return brakes.length === 0 && !(paused.known && limits.known) ? null : brakes;
}

export function brakeWords(brake: Brake): string {
  switch (brake.kind) {
    case 'paused':
      return `${brake.scheduler} is paused`;
    case 'limit':
      return `${brake.limit} is 0`;
    case 'halt':
      return 'halt-scheduling is on';
    case 'leader-weight':
      return `the leader weight of ${brake.store} is 0`;
    case 'store-limit':
      return `the ${brake.limit} limit of ${brake.store} is ${brake.rate} a minute`;
  }
}

/** What the present limit is; `null`: PD did not tell. */
export function limitOf({ limits }: Scheduling, name: LimitName): number | null {
  if (!limits.known) return null;
  const { leaders, regions, replicas } = limits.value;
  return { 'leader-schedule-limit': leaders, 'region-schedule-limit': regions, 'replica-schedule-limit': replicas }[
    name
  ];
}

/** Peers a minute of one store; `null`: PD did not tell. */
export function storeLimitOf(picture: TikvPicture, store: string, name: StoreLimitName): number | null {
  const { limits } = picture.vitals.scheduling;
  const id = idsOf(picture).find((one) => one.name === store)?.id;
  return (limits.known && id !== undefined && limits.value.stores[id]?.[name]) || null;
}

export const isStrangled = (rate: number): boolean => rate < STRANGLED_BELOW;

function limitsAtZero(scheduling: Scheduling): Brake[] {
  const names = Object.keys(SHIPPED_LIMITS) as LimitName[];
  return names.filter((name) => limitOf(scheduling, name) === 0).map((limit) => ({ kind: 'limit', limit }));
}

function strangledStores(picture: TikvPicture): Brake[] {
  return idsOf(picture).flatMap(({ name: store }) =>
    STORE_LIMITS.flatMap((limit): Brake[] => {
      const rate = storeLimitOf(picture, store, limit);
      return rate !== null && isStrangled(rate) ? [{ kind: 'store-limit', store, limit, rate }] : [];
    }),
  );
}

const weightless = ({ vitals }: TikvPicture): Brake[] =>
  vitals.stores.flatMap(({ name: store, pd }): Brake[] =>
    pd.known && pd.value?.weights?.leader === 0 ? [{ kind: 'leader-weight', store }] : [],
  );

const idsOf = ({ vitals }: TikvPicture) =>
  vitals.stores.flatMap(({ name, pd }) => (pd.known && pd.value ? [{ name, id: pd.value.id }] : []));
