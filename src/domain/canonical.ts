/**
 * JSON with sorted keys and no white space: equal values give equal text, whatever order they were built in.
 * `undefined` members are left out, as JSON does.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') return canonicalObject(value as Record<string, unknown>);
  return JSON.stringify(value) ?? 'null';
}

function canonicalObject(value: Record<string, unknown>): string {
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}
