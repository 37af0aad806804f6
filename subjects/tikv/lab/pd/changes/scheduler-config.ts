import { json, NOT_FOUND, parseErrorText } from '../answers/answer.js';
import type { Ask, Outcome } from '../route.js';
import { isStoreScheduler, replacedEntry, runningEntry, type SchedulerEntry } from '../scheduler-entries.js';
import type { PdView } from '../view.js';
import { readObject } from './body.js';
import { addStore, removeStoreOf } from './schedulers.js';

/** PD: `evict_leader.go`, `balance_leader.go`. */
const MOST_PER_BATCH = 10;

/** What PD says of evict and grant schedulers whose settings changed, also of those whose settings were so before. */
const APPLIED = json('The scheduler has been applied to the store.');

/**
 * `POST /scheduler-config/{name}/config`: `store_id` and `batch` of an evict scheduler, `store_id` of a grant scheduler,
 * `batch` of balance-leader, `recovery-duration` in seconds of evict-slow-store. These answers are not recorded; they are those of PD's source.
 */
export function configureScheduler(view: PdView, name: string, { body }: Ask): Outcome {
  const entry = runningEntry(view.state.schedulers, name);
  if (entry === undefined) return NOT_FOUND;
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const { store_id: storeId, batch } = read.value;
  if (name === 'balance-leader-scheduler') return configureBalance(view, entry, read.value);
  if (name === 'evict-slow-store-scheduler') return configureSlowStore(view, entry, read.value);
  if (!isStoreScheduler(name)) return NOT_FOUND;
  const withBatch = name === 'evict-leader-scheduler' && typeof batch === 'number' ? batch : undefined;
  if (withBatch !== undefined && !isBatch(withBatch)) return json('batch is invalid, it should be in [1, 10]', 400);
  if (typeof storeId === 'number') return addStore(view, { name, storeId, batch: withBatch });
  return withBatch === undefined ? APPLIED : replace(view, { ...entry, batch: withBatch }, APPLIED);
}

/** `DELETE /scheduler-config/{name}/delete/{store}`: like `DELETE /schedulers/{name}-{store}`. */
export function removeFromScheduler(view: PdView, name: string, store: string): Outcome {
  if (!isStoreScheduler(name) || runningEntry(view.state.schedulers, name) === undefined) return NOT_FOUND;
  if (!/^\d+$/.test(store)) return json(parseErrorText('ParseUint', store), 400);
  return removeStoreOf(view, { name, storeId: Number(store) });
}

function configureBalance(view: PdView, entry: SchedulerEntry, asked: Readonly<Record<string, unknown>>): Outcome {
  const { batch } = asked;
  if (batch === undefined) return json('Config item is not found.', 400);
  if (typeof batch !== 'number' || !isBatch(batch)) {
    return json('invalid batch size which should be an integer between 1 and 10', 400);
  }
  return replace(view, { ...entry, batch }, json('Config is updated.'));
}

function configureSlowStore(view: PdView, entry: SchedulerEntry, asked: Readonly<Record<string, unknown>>): Outcome {
  const { 'recovery-duration': recoverySeconds } = asked;
  if (typeof recoverySeconds !== 'number' || recoverySeconds < 0) {
    return json('invalid argument for recovery-duration', 400);
  }
  return replace(view, { ...entry, recoverySeconds }, json('Config updated.'));
}

function replace({ state }: PdView, entry: SchedulerEntry, answer: typeof APPLIED): Outcome {
  return { commands: [{ kind: 'schedule', schedulers: replacedEntry(state.schedulers, entry) }], answer };
}

function isBatch(batch: number): boolean {
  return Number.isInteger(batch) && batch >= 1 && batch <= MOST_PER_BATCH;
}
