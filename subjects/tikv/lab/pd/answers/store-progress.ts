import type { NodeState } from '../model.js';
import type { PdView } from '../view.js';
import { type Answer, json, parseErrorText } from './answer.js';

/** Go's `math.MaxFloat64`: PD's "I do not know how long". */
const FOREVER = Number.MAX_VALUE;

/** A store that is preparing shows no progress on a small cluster: it serves with PD's next round. */
const ACTIONS: Readonly<Record<string, NodeState>> = { removing: 'Removing' };

/**
 * `GET /stores/progress?id=` and `?action=removing|preparing`. How fast a store empties is not measured: a removal shows
 * no progress until it is over.
 */
export function storeProgress(view: PdView, query: URLSearchParams): Answer {
  const [id, action] = [query.get('id') ?? '', query.get('action') ?? ''];
  if (id !== '') return progressOf(view, id);
  if (action === '') return json('need query parameters', 400);
  const state = ACTIONS[action];
  const here = Object.values(view.state.stores).filter(({ nodeState }) => nodeState === state);
  if (here.length === 0)
    return json(`[PD:progress:ErrProgressNotFound]no progress found for the action: ${action}`, 404);
  return json({ action, ...STANDING });
}

const STANDING = { progress: 0, current_speed: 0, left_seconds: FOREVER };

function progressOf(view: PdView, id: string): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const store = view.state.stores[Number(id)];
  const action = Object.entries(ACTIONS).find(([, state]) => store?.nodeState === state)?.[0];
  if (action === undefined) {
    return json(`[PD:progress:ErrProgressNotFound]no progress found for the given store ID: ${id}`, 404);
  }
  return json({ action, store_id: Number(id), ...STANDING });
}
