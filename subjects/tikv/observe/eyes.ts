import { instant } from '../../../src/domain/ids.js';
import { factOf, gap, mapReading, type Reading, type Seen } from '../../../src/domain/reading.js';
import type { SubjectEyes, Tier } from '../../protocol.js';
import type { TikvInventory } from '../inventory.js';
import type { Placement, Probe, TikvPicture } from '../picture.js';
import type { Profile } from '../profiles.js';
import { createHttpDoor } from './http-door.js';
import { createLeaderWatch } from './leader-memory.js';
import { withoutOwnStall } from './own-stall.js';
import { createPdClient } from './pd-client.js';
import { lookAtMember, withWitness } from './pd-members.js';
import { type PdReader, readPd } from './pd-readings.js';
import { membersSchema, type PdRegions, regionsSchema, storesSchema } from './pd-schemas.js';
import { nameStores, type StoreNames } from './pd-stores.js';
import { placementOf } from './placement.js';
import { countRegions } from './region-counts.js';
import { createSchedulingLook } from './scheduling.js';
import { startStallWatch } from './stall-watch.js';
import { lookAtPorts, storesOf } from './store-looks.js';
import { createTrendWatch } from './trend-watch.js';
import { lookAtHost, type RunOnHost } from './witness.js';

export interface TikvEyesOptions {
  readonly inventory: TikvInventory;
  readonly profile: Profile;
  readonly runOnHost: RunOnHost;
  /** Works on its own; its owner starts and closes it. */
  readonly probe: { reading(): Reading<Probe> };
  /** Epoch ms. */
  readonly clock: () => number;
}

/**
 * Looks at a TiKV cluster. Everything is asked in parallel, so that a look takes one deadline at worst. It remembers who
 * led PD and how scores and leader counts moved, and should therefore live as long as its process.
 */
export function createTikvEyes({
  inventory,
  profile,
  runOnHost,
  probe,
  clock,
}: TikvEyesOptions): SubjectEyes<TikvPicture> {
  const { requestMs, sampleMs } = profile.watch;
  const pd = createPdClient({ endpoints: inventory.pd, requestMs });
  const reader: PdReader = { pd, clock };
  const leadershipOf = createLeaderWatch();
  const trendsOf = createTrendWatch(profile.cluster.regionHeartbeatMs);
  const lookAtScheduling = createSchedulingLook(reader, profile.cluster.storeHeartbeatMs);
  const stalls = startStallWatch();

  async function observe(tier: Tier, signal?: AbortSignal): Promise<TikvPicture> {
    const at = instant(clock());
    const startedAt = performance.now();
    const [witnessOf, members, listed, stores, ports, regions, scheduling, everyRegion] = await Promise.all([
      lookAtHost({ runOnHost, host: inventory.host, clock, timeoutMs: sampleMs, signal }),
      Promise.all(inventory.pd.map((member) => lookAtMember(reader, member, signal))),
      readPd(reader, { path: '/pd/api/v1/members', schema: membersSchema, signal }),
      readPd(reader, { path: '/pd/api/v1/stores', schema: storesSchema, signal }),
      lookAtPorts({ inventory, requestMs, clock }, signal),
      countRegions(reader, signal),
      lookAtScheduling(signal),
      tier === 'placement' ? readPd(reader, { path: '/pd/api/v1/regions', schema: regionsSchema, signal }) : null,
    ]);
    const entries = mapReading(stores, (list) => list.stores);
    const names = nameStores(factOf(entries) ?? [], inventory);
    const seen = {
      pd: members.map((member) => withWitness(member, witnessOf)),
      leadership: leadershipOf(listed, members),
      stores: storesOf({ inventory, entries, names, ports, witnessOf }),
      regions,
      probe: probe.reading(),
      scheduling,
    };
    const vitals = withoutOwnStall(seen, { lostMs: stalls.lostSince(startedAt), requestMs });
    return {
      at,
      profile: profile.name,
      vitals: { ...vitals, trends: trendsOf({ at, ...vitals }) },
      placement: whoHoldsWhat({ everyRegion, stores, names, seen: { at, source: 'pd' } }),
    };
  }

  return { observe, http: createHttpDoor({ inventory, pd, requestMs }), close: async () => stalls.close() };
}

interface PlacementFacts {
  readonly everyRegion: Reading<PdRegions> | null;
  readonly stores: Reading<unknown>;
  readonly names: StoreNames;
  readonly seen: Seen;
}

/** Regions name stores by id; without the list of stores they name nobody. */
function whoHoldsWhat({ everyRegion, stores, names, seen }: PlacementFacts): Reading<Placement> {
  if (everyRegion === null) return gap('not asked for', seen);
  if (!stores.known) return stores;
  return mapReading(everyRegion, (list) => placementOf(list, names));
}
