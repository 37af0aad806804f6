import { type Answer, inputError, json, parseErrorText } from '../answers/answer.js';
import { storeNotFound } from '../answers/stores.js';
import type { StoreMeta } from '../model.js';
import type { Outcome } from '../route.js';
import { maxReplicas } from '../settings.js';
import { type Command, DEFAULT_LIMIT } from '../state.js';
import type { PdView } from '../view.js';

/** A store that leaves may be emptied as fast as it goes (PD: `storelimit.Unlimited`). */
const UNLIMITED = 100_000_000;

const SET_OFFLINE = json('The store is set as Offline.');
const STATE_UPDATED = json("The store's state is updated.");

/** How a store is sent away. By force its data counts as lost, whatever remains, and there is no way back. */
export type Removal = 'orderly' | 'by-force';

/** `DELETE /store/{id}[?force]` */
export function removeStore(view: PdView, id: string, removal: Removal): Outcome {
  return withStore(view, id, (store) => leave(view, { store, removal, answer: SET_OFFLINE }));
}

/** `POST /store/{id}/state?state=Up|Offline`: Up takes a removal back as long as the store is not Tombstone. */
export function setStoreState(view: PdView, id: string, state: string): Outcome {
  return withStore(view, id, (store) => {
    if (state === 'Up') return comeBack(store);
    if (state === 'Offline') return leave(view, { store, removal: 'orderly', answer: STATE_UPDATED });
    return json(`invalid state ${state}`, 400);
  });
}

/** `DELETE /stores/remove-tombstone`: forgets the stores that are gone for good. */
export function removeTombstones({ state, regions }: PdView): Outcome {
  const gone = Object.values(state.stores).filter((store) => store.state === 'Tombstone');
  const storeIds = gone.map(({ id }) => id).filter((id) => regions.onStore(id).length === 0);
  const answer = json('Remove tombstone successfully.');
  return storeIds.length === 0 ? answer : { commands: [{ kind: 'forget-stores', storeIds }], answer };
}

/** What PD does by itself with stores on its round: a new one may serve, one that left and is empty is buried. */
export function storeChecks({ state, regions }: Pick<PdView, 'state' | 'regions'>): Command[] {
  return Object.values(state.stores).flatMap((store): Command[] => {
    const storeId = store.id;
    if (store.nodeState === 'Preparing') return [{ kind: 'store-node-state', storeId, nodeState: 'Serving' }];
    if (store.state !== 'Offline' || regions.onStore(storeId).length > 0) return [];
    return [{ kind: 'change-store', storeId, change: { state: 'Tombstone', nodeState: 'Removed' } }];
  });
}

interface Leaving {
  readonly store: StoreMeta;
  readonly removal: Removal;
  readonly answer: Answer;
}

/** PD: `RaftCluster.RemoveStore`. "Up" counts by state, so a dead store counts too. */
function leave(view: PdView, { store, removal, answer }: Leaving): Outcome {
  if (store.state === 'Tombstone') return removed(store);
  if (store.physicallyDestroyed && removal === 'orderly') return destroyed(store);
  if (store.state === 'Offline' && removal === 'orderly') return answer;
  const refusal = removal === 'orderly' ? tooFew(view, store) : null;
  if (refusal !== null) return refusal;
  const force = removal === 'by-force' ? { physicallyDestroyed: true as const } : {};
  return {
    commands: [
      { kind: 'change-store', storeId: store.id, change: { state: 'Offline', nodeState: 'Removing', ...force } },
      { kind: 'limit-store', storeId: store.id, limit: { 'remove-peer': UNLIMITED } },
    ],
    answer,
  };
}

/** PD: `RaftCluster.UpStore`. */
function comeBack(store: StoreMeta): Outcome {
  if (store.state === 'Tombstone') return removed(store);
  if (store.physicallyDestroyed) return destroyed(store);
  if (store.state === 'Up') return STATE_UPDATED;
  return {
    commands: [
      { kind: 'change-store', storeId: store.id, change: { state: 'Up', nodeState: 'Serving' } },
      { kind: 'limit-store', storeId: store.id, limit: { 'remove-peer': DEFAULT_LIMIT['remove-peer'] } },
    ],
    answer: STATE_UPDATED,
  };
}

function tooFew({ state }: PdView, { id }: StoreMeta): Answer | null {
  const left = Object.values(state.stores).filter((store) => store.state === 'Up' && store.id !== id).length;
  const need = maxReplicas(state);
  if (left >= need) return null;
  const text = `can not remove store ${id} since the number of up stores would be ${left} while need ${need}`;
  return json(`[PD:core:ErrStoresNotEnough]${text}`, 400);
}

function removed({ id }: StoreMeta): Answer {
  return json(`[PD:core:ErrStoreRemoved]store ${id} has been removed`, 410);
}

function destroyed({ id }: StoreMeta): Answer {
  return json(`[PD:core:ErrStoreDestroyed]store ${id} has been physically destroyed`, 400);
}

function withStore(view: PdView, id: string, act: (store: StoreMeta) => Outcome): Outcome {
  if (!/^\d+$/.test(id)) return inputError(parseErrorText('ParseUint', id));
  const store = view.state.stores[Number(id)];
  return store === undefined ? storeNotFound(id, 404) : act(store);
}
