import type { StoreLimit } from '../model.js';
import { DEFAULT_LIMIT } from '../state.js';
import type { PdView } from '../view.js';
import { type Answer, json } from './answer.js';

/** PD's suggestions for a limit by how busy the cluster is (PD: `storelimit.Scene`). */
const SCENES = { Idle: 100, Low: 50, Normal: 32, High: 12 };

/** `GET /stores/limit`: peers per minute by store, without Tombstones. */
export function storeLimits(view: PdView): Answer {
  return json(limitsOf(view));
}

/** `GET /stores/limit/scene` */
export function limitScene(): Answer {
  return json(SCENES);
}

/** The limits of all stores that are not Tombstone, as they also stand in the configuration. */
export function limitsOf({ state }: Pick<PdView, 'state'>): Readonly<Record<string, StoreLimit>> {
  const living = Object.values(state.stores).filter((store) => store.state !== 'Tombstone');
  return Object.fromEntries(living.map(({ id }) => [id, state.limits[id] ?? DEFAULT_LIMIT]));
}
