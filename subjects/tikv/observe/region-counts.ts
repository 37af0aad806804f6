import { mapReading } from '../../../src/domain/reading.js';
import type { Regions } from '../picture.js';
import { type PdReader, readPd } from './pd-readings.js';
import { countSchema, regionStatsSchema } from './pd-schemas.js';
import { remembered } from './remembered.js';

/** The cheap counts, asked again after `everyMs` (0: each time); `/regions` itself is too heavy for each sample. */
export const createRegionCounts = (reader: PdReader, everyMs: number): ((signal?: AbortSignal) => Promise<Regions>) =>
  remembered({
    look: (signal) => countRegions(reader, signal),
    everyMs,
    clock: reader.clock,
    isWhole: (regions) => Object.values(regions).every(({ known }) => known),
  });

async function countRegions(reader: PdReader, signal?: AbortSignal): Promise<Regions> {
  const check = (name: string) =>
    readPd(reader, { path: `/pd/api/v1/regions/check/${name}`, schema: countSchema, signal });
  const [stats, pending, down, missing] = await Promise.all([
    readPd(reader, { path: '/pd/api/v1/stats/region', schema: regionStatsSchema, signal }),
    check('pending-peer'),
    check('down-peer'),
    check('miss-peer'),
  ]);
  return {
    total: mapReading(stats, ({ count }) => count),
    withLeader: mapReading(stats, ({ store_leader_count }) => sum(Object.values(store_leader_count ?? {}))),
    pendingPeer: mapReading(pending, ({ count }) => count),
    downPeer: mapReading(down, ({ count }) => count),
    missingPeer: mapReading(missing, ({ count }) => count),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
