import { runningEntry } from '../scheduler-entries.js';
import type { Command } from '../state.js';
import { EVICT_SLOW_STORE, heldStore, storeToHold } from './schedulers/slow-store.js';
import type { Survey } from './survey.js';
import type { ScheduleTimes } from './times.js';

const TYPE = 'evict-slow-store';

/**
 * Since when a slow store is held, as one leader remembers it. Who is held is in the group's log: the next leader goes on
 * with it, but lets go as soon as the store is well, because it does not know the time (PD: `lastSlowStoreCaptureTS`).
 */
export class SlowStoreWatch {
  #sinceNs = 0n;

  /** What the group is to agree on; null if it stays as it is. */
  look(survey: Survey, { recoveryMs }: ScheduleTimes): Command | null {
    const entry = runningEntry(survey.scene.state.schedulers, EVICT_SLOW_STORE);
    if (entry === undefined) return null;
    const restMs = entry.recoverySeconds === undefined ? recoveryMs : entry.recoverySeconds * 1_000;
    const heldNs = survey.scene.nowNs - this.#sinceNs;
    const held = heldStore(survey);
    const wanted = storeToHold(survey, { hasRested: heldNs >= BigInt(Math.round(restMs * 1e6)) });
    if (wanted === held) return null;
    this.#sinceNs = wanted === null ? 0n : survey.scene.nowNs;
    return { kind: 'hold-store', type: TYPE, storeIds: wanted === null ? [] : [wanted] };
  }
}
