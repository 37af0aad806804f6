import { type Answer, json } from '../answers/answer.js';
import { CHECKER_NOT_FOUND, isChecker } from '../answers/checkers.js';
import { storeNotFound } from '../answers/stores.js';
import { goKind, offsetAfter } from '../go-json.js';
import { checkerPause } from '../pauses.js';
import type { Ask, Outcome } from '../route.js';
import {
  DEFAULT_SCHEDULERS,
  isPlainScheduler,
  isStoreScheduler,
  replacedEntry,
  runningEntry,
  type SchedulerEntry,
  STORE_SCHEDULERS,
  type StoreSchedulerName,
  schedulerName,
  schedulerType,
} from '../scheduler-entries.js';
import type { PdView } from '../view.js';
import { type Read, readObject, wrongType } from './body.js';

const CREATED = json('The scheduler is created.');
const APPLIED = json('The scheduler has been applied to the store.');
const REMOVED = json('The scheduler is removed.');
const EXISTED = json('[PD:scheduler:ErrSchedulerExisted]scheduler existed', 500);
const NOT_FOUND_TEXT = '[PD:scheduler:ErrSchedulerNotFound]scheduler not found';

/** `POST /schedulers`: a second store joins the evict or grant scheduler that is there. */
export function addScheduler(view: PdView, { body }: Ask): Outcome {
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const { name, store_id: storeId } = read.value;
  if (typeof name !== 'string') return json('missing scheduler name', 400);
  if (isStoreScheduler(name)) {
    if (typeof storeId !== 'number') return json('missing store id', 400);
    return addStore(view, { name, storeId });
  }
  if (!isPlainScheduler(name)) return json('unknown scheduler', 400);
  if (runningEntry(view.state.schedulers, name) !== undefined) return EXISTED;
  const entry = { type: schedulerType(name), disable: false };
  return withEntries(replacedEntry(view.state.schedulers, entry), CREATED);
}

/** `DELETE /schedulers/{name}`, or `/{evict-leader-scheduler-<store>}` for one store of it. */
export function removeScheduler(view: PdView, name: string): Outcome {
  const ofStore = STORE_SCHEDULERS.find((kind) => new RegExp(`^${kind}-\\d+$`).test(name));
  if (ofStore !== undefined) return removeStoreOf(view, { name: ofStore, storeId: Number(name.split('-').at(-1)) });
  const entry = runningEntry(view.state.schedulers, name);
  if (entry === undefined) return json(NOT_FOUND_TEXT, 404);
  return withEntries(withoutEntry(view.state.schedulers, entry), REMOVED, name);
}

/** `POST /schedulers/{name or all}` with the seconds of a pause; 0 ends it. It is in the leader's memory only. */
export function pauseScheduler(view: PdView, name: string, { body }: Ask): Outcome {
  const read = readDelay(body);
  if (!read.ok) return read.answer;
  const known = view.state.schedulers.filter(({ disable }) => !disable).map(({ type }) => schedulerName(type));
  const names = name === 'all' ? known : known.filter((each) => each === name);
  if (names.length === 0) return json(NOT_FOUND_TEXT, 500);
  return {
    commands: [],
    pauses: names.map((each) => ({ name: each, seconds: read.value })),
    answer: json('Pause or resume the scheduler successfully.'),
  };
}

/** `POST /checker/{name}`, as for a scheduler. */
export function pauseChecker(name: string, { body }: Ask): Outcome {
  const read = readDelay(body);
  if (!read.ok) return read.answer;
  if (!isChecker(name)) return CHECKER_NOT_FOUND;
  return {
    commands: [],
    pauses: [{ name: checkerPause(name), seconds: read.value }],
    answer: json(read.value > 0 ? 'Pause the checker successfully.' : 'Resume the checker successfully.'),
  };
}

/** One store of an evict or grant scheduler. */
export interface StoreOf {
  readonly name: StoreSchedulerName;
  readonly storeId: number;
  /** Leaders to move at a time, if that is to change, too. */
  readonly batch?: number | undefined;
}

/** A store whose leaders are evicted cannot be granted any, and the other way round (PD: `PauseLeaderTransfer`). */
export function addStore({ state }: PdView, { name, storeId, batch }: StoreOf): Outcome {
  const there = runningEntry(state.schedulers, name);
  const storeIds = there?.storeIds ?? [];
  if (storeIds.includes(storeId) && batch === undefined) return APPLIED;
  if (state.stores[storeId] === undefined) return storeNotFound(storeId, 500);
  if (!storeIds.includes(storeId) && isPaused(state, storeId)) {
    return json(`[PD:core:ErrPauseLeaderTransfer]store ${storeId} is paused for leader transfer`, 500);
  }
  const entry = {
    ...(there ?? { type: schedulerType(name), disable: false }),
    storeIds: [...new Set([...storeIds, storeId])],
    ...(batch === undefined ? {} : { batch }),
  };
  return withEntries(replacedEntry(state.schedulers, entry), there === undefined ? CREATED : APPLIED);
}

function isPaused({ schedulers }: PdView['state'], storeId: number): boolean {
  return STORE_SCHEDULERS.some((kind) => runningEntry(schedulers, kind)?.storeIds?.includes(storeId) === true);
}

/** The scheduler goes with its last store. PD answers `null` either way. */
export function removeStoreOf({ state }: PdView, { name, storeId }: StoreOf): Outcome {
  const entry = runningEntry(state.schedulers, name);
  if (entry?.storeIds?.includes(storeId) !== true) return json(null, 404);
  const storeIds = entry.storeIds.filter((id) => id !== storeId);
  if (storeIds.length === 0) return withEntries(withoutEntry(state.schedulers, entry), json(null), name);
  return withEntries(replacedEntry(state.schedulers, { ...entry, storeIds }), json(null));
}

/** `resumed` has its pause ended: a scheduler that comes again does not rest. */
function withEntries(schedulers: readonly SchedulerEntry[], answer: Answer, resumed?: string): Outcome {
  const pauses = resumed === undefined ? [] : [{ name: resumed, seconds: 0 }];
  return { commands: [{ kind: 'schedule', schedulers }], pauses, answer };
}

/** Default schedulers stay in the configuration, disabled; PD would start them again otherwise. */
function withoutEntry(entries: readonly SchedulerEntry[], gone: SchedulerEntry): SchedulerEntry[] {
  const isDefault = DEFAULT_SCHEDULERS.some(({ type }) => type === gone.type);
  if (isDefault) return replacedEntry(entries, { type: gone.type, disable: true });
  return entries.filter(({ type }) => type !== gone.type);
}

function readDelay(body: string): Read<number> {
  const read = readObject(body, 'map[string]int64');
  if (!read.ok) return read;
  const { delay } = read.value;
  if (delay === undefined) return { ok: false, answer: json('missing pause time', 400) };
  if (typeof delay === 'number' && Number.isInteger(delay)) return { ok: true, value: delay };
  const got = typeof delay === 'number' ? `number ${delay}` : goKind(delay);
  return { ok: false, answer: wrongType({ got, goType: 'int64', offset: offsetAfter(body, 'delay') }) };
}
