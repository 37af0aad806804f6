import { json, parseErrorText, plainError } from '../answers/answer.js';
import type { Ask, Outcome } from '../route.js';
import { LOG_LEVELS } from '../setting-rules.js';
import { silenceOf } from '../settings.js';
import { stateName } from '../stores.js';
import type { PdView } from '../view.js';
import { readJson, readObject } from './body.js';

const RECOVERY = '[PD:unsaferecovery:ErrUnsafeRecoveryInvalidInput]invalid input';
/** Unsafe recovery rewrites the stores' Raft groups, which the lab's stores cannot do. */
const CANNOT_RECOVER = json('this stand-in of PD cannot recover regions by force', 501);

/** `GET /metric/query` of a PD that was told of no Prometheus. */
export const NO_METRIC_STORAGE = plainError(500, "metric storage doesn't set");

/** `POST /admin/log` with a level as a JSON string, for the member that is asked. The lab's logs have one level. */
export function setLogLevel({ body }: Ask): Outcome {
  const read = readJson(body);
  if (!read.ok) return read.answer;
  if (LOG_LEVELS.includes(String(read.value))) return json('The log level is updated.');
  return json(`log level ${read.value} is illegal`, 400);
}

/** `POST /admin/unsafe/remove-failed-stores`: PD's refusals; what PD would take is refused here. */
export function removeFailedStores(view: PdView, { body }: Ask): Outcome {
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const stores = Array.isArray(read.value.stores) ? read.value.stores.map(Number) : [];
  if (stores.length === 0 && read.value['auto-detect'] !== true) return json(`${RECOVERY} no store specified`, 500);
  const unknown = stores.find((id) => view.state.stores[id] === undefined);
  if (unknown !== undefined) return json(`${RECOVERY} store ${unknown} doesn't exist`, 500);
  const alive = stores.find((id) => isConnected(view, id));
  return alive === undefined ? CANNOT_RECOVER : json(`${RECOVERY} store ${alive} is up and connected`, 500);
}

/** `POST /admin/reset-ts`: never backwards. Forwards it is not served. */
export function resetTimestamp(view: PdView, { body }: Ask): Outcome {
  const read = readObject(body);
  if (!read.ok) return read.answer;
  const { tso } = read.value;
  if (typeof tso !== 'string') return json('invalid tso value', 400);
  if (!/^\d+$/.test(tso)) return json('invalid tso value', 400);
  const isOld = BigInt(tso) >> LOGICAL_BITS <= BigInt(Math.floor(view.tsoMs));
  if (!isOld) return json('this stand-in of PD cannot move its clock', 501);
  return json('[PD:tso:ErrResetUserTimestamp]reset user timestamp failed, the specified ts is smaller than now', 403);
}

/** `DELETE /admin/cache/region/{id}`: until its leader's next heartbeat; a region that is not there does not matter. */
export function forgetRegion(id: string): Outcome {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  return {
    commands: [],
    forgottenRegions: [Number(id)],
    answer: json('The region is removed from server cache.'),
  };
}

/** `DELETE /gc/safepoint/{service}`: nobody holds one, and PD does not mind. */
export function removeSafePoint(): Outcome {
  return json('Delete service GC safepoint successfully.');
}

/** The lower bits of a timestamp count within one millisecond. */
const LOGICAL_BITS = 18n;

function isConnected(view: PdView, id: number): boolean {
  const store = view.state.stores[id];
  if (store === undefined) return false;
  return stateName(store, silenceOf(view), view.nowNs - view.heartbeats.lastHeartbeatNs(store)) === 'Up';
}
