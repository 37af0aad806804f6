import { type Answer, json } from '../answers/answer.js';
import type { RegionReport } from '../model.js';
import type { PdView } from '../view.js';
import type { JsonObject } from './body.js';

/** The region that a body names in `region_id`. */
export function regionOf(view: PdView, { region_id: id }: JsonObject): RegionReport | undefined {
  return view.regions.get(Number(id));
}

/** PD's complaint about the region that a body names, null if it has none. */
export function regionFault(view: PdView, asked: JsonObject): Answer | null {
  if (typeof asked.region_id !== 'number') return json('missing region id', 400);
  return regionOf(view, asked) === undefined ? regionNotFound(asked.region_id) : null;
}

/** PD's words for a region that it does not know. */
export function regionNotFound(id: number): Answer {
  return json(`[PD:region:ErrRegionNotFound]region ${id} not found`, 500);
}
