const GIB = 2 ** 30;
/** Weight of the free space in the score, and the free GiB below which a store counts as nearly full (PD: v2 formula). */
const SPACE_WEIGHT = 256;
const NEARLY_FULL_GIB = 50;
const NEARLY_FULL_SHARE = 0.2;

export interface SpaceOfStore {
  readonly capacity: number;
  readonly available: number;
  /** Sum of the regions' sizes in MiB. */
  readonly regionSize: number;
}

/**
 * How full a store is to PD's balancer (PD: `StoreInfo.regionScoreV2`, weight 1). Without the store's own numbers it is
 * the size of its regions.
 */
export function regionScore({ capacity, available, regionSize }: SpaceOfStore): number {
  const [all, free] = [capacity / GIB, available / GIB];
  if (free >= all || all < 1) return regionSize;
  const floor = Math.max(NEARLY_FULL_GIB, all * NEARLY_FULL_SHARE);
  if (free <= floor) return nearlyFullScore({ all, free, floor, regionSize });
  const slope = (Math.log(all) - Math.log(free - floor + 1)) / (all - free + floor - 1);
  return (1 + SPACE_WEIGHT * slope) * regionSize;
}

function nearlyFullScore(store: { all: number; free: number; floor: number; regionSize: number }): number {
  const base = (1 + (SPACE_WEIGHT * Math.log(store.all)) / store.all) * store.regionSize;
  const steep = 1e7;
  return base + (steep * (store.floor - store.free)) / store.floor;
}
