/** Where a replica is. Ids are PD's: unique in the cluster, rising, and far below 2^53 in a lab. */
export interface PeerPlace {
  readonly id: number;
  readonly storeId: number;
}

/** As in `metapb.PeerRole`: the middle two exist only while a region's configuration is joint. */
export type PeerRole = 'Voter' | 'IncomingVoter' | 'DemotingVoter' | 'Learner';

/** A replica of a region. */
export interface PeerMeta extends PeerPlace {
  readonly role: PeerRole;
}

/** What PD and every replica must agree on about one region (`metapb.Region`). Changes only by applied log entries. */
export interface RegionMeta {
  readonly id: number;
  /** Inclusive; empty is minus infinity. Keys are text here, bytes on the wire. */
  readonly startKey: string;
  /** Exclusive; empty is plus infinity. */
  readonly endKey: string;
  readonly confVer: number;
  readonly version: number;
  readonly peers: readonly PeerMeta[];
}

/** A region of the seed layout, with the peer that leads first. */
export interface SeedRegion {
  readonly meta: RegionMeta;
  readonly firstLeader: PeerMeta;
}

export interface SeedOptions {
  /** Store ids in the order of the start line; the order decides who holds what. At least {@link REPLICAS}. */
  readonly storeIds: readonly number[];
  /** At most 100: the keys carry a two-digit prefix. */
  readonly regions: number;
}

/** Voters per region (PD: `max-replicas` 3). */
export const REPLICAS = 3;

/** Ids below belong to what PD hands out while the cluster is set up: stores and the bootstrap region. */
const FIRST_ID = 10;

/**
 * Who holds which region when the cluster is new: leaders go round the stores, and the store left out of a region goes
 * round too, so that leaders and peers are level and a lost store's leaders have somewhere to go on every other store.
 *
 * The version lies above the bootstrap region's 1, so that PD lets these regions push it out (PD refuses an overlap only
 * with a region of higher version).
 *
 * @throws RangeError when there are fewer stores than replicas or more regions than prefixes
 */
export function seedLayout({ storeIds, regions }: SeedOptions): SeedRegion[] {
  if (storeIds.length < REPLICAS) throw new RangeError(`${storeIds.length} stores cannot hold ${REPLICAS} replicas`);
  if (regions < 1 || regions > 100) throw new RangeError(`${regions} regions: a two-digit prefix names 1 to 100`);
  return Array.from({ length: regions }, (_, index) => seedRegion({ index, regions, storeIds }));
}

/** The highest id that a layout of so many regions uses; PD must not hand it out again. */
export function lastSeedId(regions: number): number {
  return FIRST_ID + regions * (REPLICAS + 1) - 1;
}

/** A key inside the region with this index of the seed layout: `t07-probe` for 7 and `-probe`. */
export function regionKey(index: number, suffix = ''): string {
  return `t${String(index).padStart(2, '0')}${suffix}`;
}

/** Does the region hold this key? */
export function holdsKey(region: Pick<RegionMeta, 'startKey' | 'endKey'>, key: string): boolean {
  return key >= region.startKey && (region.endKey === '' || key < region.endKey);
}

function seedRegion({
  index,
  regions,
  storeIds,
}: {
  index: number;
  regions: number;
  storeIds: readonly number[];
}): SeedRegion {
  const id = FIRST_ID + index * (REPLICAS + 1);
  const peers = holdersOf(index, storeIds).map(
    (storeId, position): PeerMeta => ({ id: id + 1 + position, storeId, role: 'Voter' }),
  );
  return {
    meta: {
      id,
      startKey: index === 0 ? '' : regionKey(index),
      endKey: index === regions - 1 ? '' : regionKey(index + 1),
      confVer: REPLICAS,
      version: regions,
      peers,
    },
    firstLeader: peers[0] as PeerMeta,
  };
}

/** The first is the intended leader. */
function holdersOf(index: number, storeIds: readonly number[]): number[] {
  const count = storeIds.length;
  const leader = index % count;
  const others = storeIds.map((_, step) => storeIds[(leader + step) % count] as number).slice(1);
  const turn = Math.floor(index / count) % others.length;
  const rotated = [...others.slice(turn), ...others.slice(0, turn)];
  return [storeIds[leader] as number, ...rotated.slice(0, REPLICAS - 1)];
}
