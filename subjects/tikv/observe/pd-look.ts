import { type Gap, gap, type Reading } from '../../../src/domain/reading.js';
import type { Tier } from '../../protocol.js';
import type { Regions, Scheduling } from '../picture.js';
import type { Gentleness } from './gently.js';
import { type PdReader, readPd } from './pd-readings.js';
import {
  membersSchema,
  type PdMembers,
  type PdRegions,
  type PdStores,
  regionsSchema,
  storesSchema,
} from './pd-schemas.js';
import { createRegionCounts } from './region-counts.js';
import { createSchedulingLook } from './scheduling.js';

/** Everything that PD's leader is asked for one picture. */
export interface PdTold {
  readonly listed: Reading<PdMembers>;
  readonly stores: Reading<PdStores>;
  readonly regions: Regions;
  readonly scheduling: Scheduling;
  /** `null`: not asked for. */
  readonly everyRegion: Reading<PdRegions> | null;
}

export interface PdLookOptions {
  readonly reader: PdReader;
  /** How long orders to PD stand. */
  readonly everyMs: number;
  readonly gently: Gentleness | undefined;
}

/** Asks all at once; gently, first whether anybody can be asked, so that a PD in trouble gets no load on top of it. */
export function createPdLook({ reader, everyMs, gently }: PdLookOptions) {
  const lookAtScheduling = createSchedulingLook(reader, gently?.everyMs ?? everyMs);
  const countRegions = createRegionCounts(reader, gently?.everyMs ?? 0);
  const members = (signal?: AbortSignal) =>
    readPd(reader, { path: '/pd/api/v1/members', schema: membersSchema, signal });
  const stores = (signal?: AbortSignal) => readPd(reader, { path: '/pd/api/v1/stores', schema: storesSchema, signal });
  const everyRegion = (signal?: AbortSignal) =>
    readPd(reader, { path: '/pd/api/v1/regions', schema: regionsSchema, signal });

  async function lookAtOnce(tier: Tier, signal?: AbortSignal): Promise<PdTold> {
    const [listed, stored, regions, scheduling, all] = await Promise.all([
      members(signal),
      stores(signal),
      countRegions(signal),
      lookAtScheduling(signal),
      tier === 'placement' ? everyRegion(signal) : null,
    ]);
    return { listed, stores: stored, regions, scheduling, everyRegion: all };
  }

  async function lookGently(tier: Tier, maxRegions: number, signal?: AbortSignal): Promise<PdTold> {
    const listed = await members(signal);
    if (!listed.known) return unreadable(listed);
    const [stored, regions, scheduling] = await Promise.all([
      stores(signal),
      countRegions(signal),
      lookAtScheduling(signal),
    ]);
    const tooMany = whyTooMany(regions.total, maxRegions);
    const all = tier === 'placement' ? (tooMany ?? (await everyRegion(signal))) : null;
    return { listed, stores: stored, regions, scheduling, everyRegion: all };
  }

  return (tier: Tier, signal?: AbortSignal): Promise<PdTold> =>
    gently ? lookGently(tier, gently.maxRegions, signal) : lookAtOnce(tier, signal);
}

function whyTooMany(total: Reading<number>, maxRegions: number): Gap | null {
  if (!total.known) return total;
  if (total.value <= maxRegions) return null;
  const reason = `${total.value} regions are too many to be listed without harm (at most ${maxRegions} are)`;
  return gap(reason, { at: total.observedAt, source: total.source });
}

function unreadable(listed: Gap): PdTold {
  return {
    listed,
    stores: listed,
    regions: { total: listed, withLeader: listed, pendingPeer: listed, downPeer: listed, missingPeer: listed },
    scheduling: { schedulers: listed, paused: listed, limits: listed, held: listed },
    everyRegion: listed,
  };
}
