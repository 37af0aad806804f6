import type { RegionCache } from '../regions.js';
import { reportedShare } from '../regions.js';

/** PD schedules once leaders reported this share of the regions, overall and of each store (PD: `collectFactor`). */
const PREPARED_SHARE = 0.8;

/** Does a leader know enough of its regions to schedule? After `coldStartMs` it must do with what it knows. */
export function knowsEnough(
  regions: RegionCache,
  { ledForMs, coldStartMs }: { readonly ledForMs: number; readonly coldStartMs: number },
): boolean {
  return ledForMs >= coldStartMs || reportedShare(regions) >= PREPARED_SHARE;
}
