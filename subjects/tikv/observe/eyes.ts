import { instant } from '../../../src/domain/ids.js';
import { factOf, gap, mapReading, type Reading, type Seen } from '../../../src/domain/reading.js';
import type { SubjectEyes, Tier } from '../../protocol.js';
import type { TikvInventory } from '../inventory.js';
import type { Placement, Probe, TikvPicture } from '../picture.js';
import type { Profile } from '../profiles.js';
import type { Gentleness } from './gently.js';
import type { HttpAccess } from './http.js';
import { createHttpDoor } from './http-door.js';
import { createLeaderWatch } from './leader-memory.js';
import { withoutOwnStall } from './own-stall.js';
import { createPdClient } from './pd-client.js';
import { createPdLook } from './pd-look.js';
import { createMemberLook, lookAtMember, withWitness } from './pd-members.js';
import type { PdReader } from './pd-readings.js';
import type { PdRegions } from './pd-schemas.js';
import { nameStores, type StoreNames } from './pd-stores.js';
import { placementOf } from './placement.js';
import { createPortMemory } from './port-memory.js';
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
  /** How PD and the status ports are talked to. Absent: plain HTTP. */
  readonly access?: () => HttpAccess;
  /** For a cluster that others live from; see `gentlenessOf`. Absent: as for a lab of our own. */
  readonly gently?: Gentleness;
}

/**
 * Looks at a TiKV cluster. Everything is asked in parallel, so that a look takes one deadline at worst. It remembers who
 * led PD and how scores and leader counts moved, and should therefore live as long as its process.
 */
export function createTikvEyes(options: TikvEyesOptions): SubjectEyes<TikvPicture> {
  const { inventory, profile, runOnHost, probe, clock, access, gently } = options;
  const { requestMs, sampleMs } = profile.watch;
  const pd = createPdClient({ endpoints: inventory.pd, requestMs, access });
  const reader: PdReader = { pd, clock };
  const leadershipOf = createLeaderWatch();
  const trendsOf = createTrendWatch(profile.cluster.regionHeartbeatMs);
  const lookAtPd = createPdLook({ reader, everyMs: profile.cluster.storeHeartbeatMs, gently });
  const memberLooks = inventory.pd.map((member) =>
    gently
      ? createMemberLook(reader, member, gently.everyMs)
      : (signal?: AbortSignal) => lookAtMember(reader, member, signal),
  );
  const opensOf = gently ? createPortMemory(gently.endpoints) : <T>(vitals: T) => vitals;
  const stalls = startStallWatch();

  async function observe(tier: Tier, signal?: AbortSignal): Promise<TikvPicture> {
    const at = instant(clock());
    const startedAt = performance.now();
    const [witnessOf, members, told, ports] = await Promise.all([
      lookAtHost({ runOnHost, host: inventory.host, clock, timeoutMs: sampleMs, signal }),
      Promise.all(memberLooks.map((look) => look(signal))),
      lookAtPd(tier, signal),
      lookAtPorts({ inventory, requestMs, clock, access }, signal),
    ]);
    const { listed, stores, regions, scheduling, everyRegion } = told;
    const entries = mapReading(stores, (list) => list.stores);
    const names = nameStores(factOf(entries) ?? [], inventory);
    const seen = opensOf({
      pd: members.map((member) => withWitness(member, witnessOf)),
      leadership: leadershipOf(listed, members),
      stores: storesOf({ inventory, entries, names, ports, witnessOf }),
      regions,
      probe: probe.reading(),
      scheduling,
    });
    const vitals = withoutOwnStall(seen, { lostMs: stalls.lostSince(startedAt), requestMs });
    return {
      at,
      profile: profile.name,
      vitals: { ...vitals, trends: trendsOf({ at, ...vitals }) },
      placement: whoHoldsWhat({ everyRegion, stores, names, seen: { at, source: 'pd' } }),
    };
  }

  const http = createHttpDoor({ inventory, pd, requestMs, access });
  return { observe, http, close: async () => stalls.close() };
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
