import type { Kind } from '../schedule/kind.js';
import type { Operator } from '../schedule/operator.js';
import { operatorObject, operatorText, recordText, statusText } from '../schedule/operator-text.js';
import type { PdView } from '../view.js';
import { type Answer, json, parseErrorText } from './answer.js';

export const OPERATOR_NOT_FOUND = json('[PD:operator:ErrOperatorNotFound]operator not found', 500);

/** What `?kind=` can ask for; nothing waits here, an operator that cannot start is made again later. */
const KINDS: readonly string[] = ['admin', 'leader', 'region'] satisfies Kind[];

/** `GET /operators[?kind=][&object]`. A kind without a match is `null`. */
export function operators({ schedule, process }: PdView, query: URLSearchParams): Answer {
  const kind = query.get('kind');
  const found = kind === null ? schedule.operators : schedule.operators.filter((each) => isOfKind(each, kind));
  if (kind !== null && found.length === 0) return json(null);
  if (query.has('object')) return json(found.map(operatorObject));
  return json(found.map((each) => operatorText(each, startOf(process))));
}

/** `GET /operators/{region}`: the one that runs, else the last one that ended. */
export function operator({ schedule, process }: PdView, id: string): Answer {
  if (!/^\d+$/.test(id)) return json(parseErrorText('ParseUint', id), 400);
  const ofRegion = ({ regionId }: Operator) => regionId === Number(id);
  const found = schedule.operators.find(ofRegion) ?? schedule.records.findLast(ofRegion);
  return found === undefined ? OPERATOR_NOT_FOUND : json(statusText(found, startOf(process)));
}

/** `GET /operators/records[?from=]`: those that ended since `from` (unix seconds), as far as they are remembered. */
export function operatorRecords({ schedule, process }: PdView, query: URLSearchParams): Answer {
  const from = query.get('from') ?? '';
  if (from !== '' && !/^[-+]?\d+$/.test(from)) return json(parseErrorText('ParseInt', from), 400);
  const since = BigInt(from === '' ? 0 : from) * 1_000_000_000n;
  const found = schedule.records.filter(({ endedNs }) => (endedNs ?? 0n) >= since);
  return json(found.map((each) => recordText(each, startOf(process))));
}

function isOfKind({ kinds }: Operator, kind: string): boolean {
  return KINDS.includes(kind) && kinds.includes(kind as Kind);
}

/** Unix nanoseconds. */
function startOf({ startedAt }: PdView['process']): bigint {
  return BigInt(Math.round(startedAt * 1e6)) * 1_000n;
}
