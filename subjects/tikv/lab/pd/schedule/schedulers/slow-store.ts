import { runningEntry } from '../../scheduler-entries.js';
import { isStaying, type StoreSight, type Survey } from '../survey.js';

/** PD's name of it. */
export const EVICT_SLOW_STORE = 'evict-slow-store-scheduler';
/** From the first score on a store is slow, at the second one it loses its leaders, at the last one it is well. */
const SLOW = 80;
const EVICTED = 100;
const WELL = 1;

/** The store whose leaders are kept away because it is slow, as the configuration has it; null for none. */
export function heldStore({ scene }: Survey): number | null {
  return runningEntry(scene.state.schedulers, EVICT_SLOW_STORE)?.storeIds?.[0] ?? null;
}

/**
 * Who should be held (PD: `evict_slow_store.go`): one store at a time, and only if no other is slow, which would point at
 * something that they share. It is let go when it is well and has been held for long enough.
 */
export function storeToHold(survey: Survey, { hasRested }: { readonly hasRested: boolean }): number | null {
  const held = heldStore(survey);
  if (held === null) return slowAlone(survey);
  const store = survey.store(held);
  if (store === undefined || store.meta.state === 'Tombstone') return null;
  return scoreOf(store) <= WELL && hasRested ? null : held;
}

function slowAlone({ stores }: Survey): number | null {
  const slow = stores.filter((store) => isStaying(store) && scoreOf(store) >= SLOW);
  const [store] = slow;
  return store !== undefined && slow.length === 1 && scoreOf(store) >= EVICTED ? store.id : null;
}

function scoreOf({ stats }: StoreSight): number {
  return stats?.slowScore ?? 0;
}
