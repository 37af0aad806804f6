import { type Answer, json, parseErrorText } from './answer.js';

export const OPERATOR_NOT_FOUND = json('[PD:operator:ErrOperatorNotFound]operator not found', 500);

/** `GET /operators[?kind=]`: there are none, as nothing schedules. A kind without a match is `null`. */
export function operators(query: URLSearchParams): Answer {
  return json(query.has('kind') ? null : []);
}

/** `GET /operators/{region}` */
export function operator(id: string): Answer {
  return /^\d+$/.test(id) ? OPERATOR_NOT_FOUND : json(parseErrorText('ParseUint', id), 400);
}

/** `GET /operators/records[?from=]`: unix seconds; there are none. */
export function operatorRecords(query: URLSearchParams): Answer {
  const from = query.get('from') ?? '';
  return from === '' || /^[-+]?\d+$/.test(from) ? json([]) : json(parseErrorText('ParseInt', from), 400);
}
