import { isInteger, parse } from 'lossless-json';

/**
 * Parses PD's JSON without harming its 64-bit ids: an integer beyond 2^53 (`member_id`, `cluster_id`, `last_heartbeat` in
 * ns) stays the decimal text it was, every other number is a number.
 *
 * @throws SyntaxError when it is no JSON
 */
export function parseLossless(text: string): unknown {
  return parse(text, undefined, { parseNumber: numberOf });
}

function numberOf(digits: string): number | string {
  const value = Number(digits);
  return isInteger(digits) && !Number.isSafeInteger(value) ? digits : value;
}
