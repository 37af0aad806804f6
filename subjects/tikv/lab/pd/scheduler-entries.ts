/** A scheduler as PD keeps it in its configuration (PD: `schedulers-v2`). */
export interface SchedulerEntry {
  /** PD's internal name, see {@link schedulerName}. */
  readonly type: string;
  /** A default scheduler that somebody removed stays in the configuration, disabled. */
  readonly disable: boolean;
  /** The stores of an evict or grant scheduler, in the order in which they were added; the slow store that is held. */
  readonly storeIds?: readonly number[];
  /** Leaders that an evict scheduler, or balance-leader, moves at a time, where somebody set it. */
  readonly batch?: number;
  /** How long a slow store is held at least, where somebody set it. */
  readonly recoverySeconds?: number;
}

/** The schedulers that PD makes by itself, in the order of its configuration. */
export const DEFAULT_SCHEDULERS: readonly SchedulerEntry[] = [
  'balance-region',
  'balance-leader',
  'hot-region',
  'evict-slow-store',
  'evict-stopping-store',
].map((type) => ({ type, disable: false }));

/** The two kinds that take stores, one entry for all of them. */
export const STORE_SCHEDULERS = ['evict-leader-scheduler', 'grant-leader-scheduler'] as const;
export type StoreSchedulerName = (typeof STORE_SCHEDULERS)[number];

/** Kinds that need no argument, by the name that the API has for them. */
const PLAIN_SCHEDULERS = [
  'balance-leader-scheduler',
  'balance-region-scheduler',
  'balance-hot-region-scheduler',
  'evict-slow-store-scheduler',
  'evict-slow-trend-scheduler',
  'evict-stopping-store-scheduler',
  'label-scheduler',
  'random-merge-scheduler',
  'shuffle-leader-scheduler',
  'shuffle-region-scheduler',
];

/** The name in the API, which differs in one case from the type plus `-scheduler`. */
export function schedulerName(type: string): string {
  return type === 'hot-region' ? 'balance-hot-region-scheduler' : `${type}-scheduler`;
}

/** The type behind a name of the API. */
export function schedulerType(name: string): string {
  return name === 'balance-hot-region-scheduler' ? 'hot-region' : name.replace(/-scheduler$/, '');
}

export function isPlainScheduler(name: string): boolean {
  return PLAIN_SCHEDULERS.includes(name);
}

export function isStoreScheduler(name: string): name is StoreSchedulerName {
  return (STORE_SCHEDULERS as readonly string[]).includes(name);
}

/** The entry of a scheduler that runs; a disabled one does not. */
export function runningEntry(entries: readonly SchedulerEntry[], name: string): SchedulerEntry | undefined {
  return entries.find(({ type, disable }) => !disable && schedulerName(type) === name);
}

/** The entries with this one instead of the one of its type, or behind the others. */
export function replacedEntry(entries: readonly SchedulerEntry[], entry: SchedulerEntry): SchedulerEntry[] {
  const known = entries.some(({ type }) => type === entry.type);
  return known ? entries.map((each) => (each.type === entry.type ? entry : each)) : [...entries, entry];
}
