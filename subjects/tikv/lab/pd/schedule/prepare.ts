import type { RegionCache } from '../regions.js';
import { holesIn, reportedShare } from '../regions.js';

/** PD schedules once leaders reported this share of the regions, overall and of each store (PD: `collectFactor`). */
const PREPARED_SHARE = 0.8;

/**
 * Does a leader know enough of its regions to schedule? After `coldStartMs` it must do with what it knows. A part of the
 * key space of which it knows no region at all is no reported one either: so it is at the birth of a lab, whose regions
 * are all there from the start and report one after another.
 */
export function knowsEnough(
  regions: RegionCache,
  { ledForMs, coldStartMs }: { readonly ledForMs: number; readonly coldStartMs: number },
): boolean {
  if (ledForMs >= coldStartMs) return true;
  return reportedShare(regions) >= PREPARED_SHARE && holesIn(regions).length === 0;
}
