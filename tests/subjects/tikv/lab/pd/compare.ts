/**
 * How a value must match: by `type`, by the `keys` of an object, `near` within a thousandth, `absent` from the stand-in's
 * answer, or `free`.
 */
export type Slack = 'type' | 'keys' | 'near' | 'absent' | 'free';

/** Slack by the name of the field, wherever it stands; everything else must be equal. */
export type SlackTable = Readonly<Record<string, Slack>>;

/** Where `actual` differs from `recorded`: one line each, empty if it matches. */
export function differences(recorded: unknown, actual: unknown, slack: SlackTable, path = ''): string[] {
  const field = path.split('.').at(-1) ?? '';
  if (slack[field] === 'type') return kind(recorded) === kind(actual) ? [] : [line(path, recorded, actual)];
  if (slack[field] === 'keys') return keys(recorded) === keys(actual) ? [] : [line(path, recorded, actual)];
  if (slack[field] === 'near') return isNear(recorded, actual) ? [] : [line(path, recorded, actual)];
  if (Array.isArray(recorded) && Array.isArray(actual)) return listDifferences(recorded, actual, slack, path);
  if (isObject(recorded) && isObject(actual)) return objectDifferences(recorded, actual, slack, path);
  return Object.is(recorded, actual) ? [] : [line(path, recorded, actual)];
}

function objectDifferences(
  recorded: Record<string, unknown>,
  actual: Record<string, unknown>,
  slack: SlackTable,
  path: string,
): string[] {
  const keys = new Set([...Object.keys(recorded), ...Object.keys(actual)]);
  return [...keys].flatMap((key) => {
    const here = `${path}.${key}`;
    if (slack[key] === 'free') return [];
    if (slack[key] === 'absent') return key in actual ? [line(here, 'nothing', actual[key])] : [];
    if (key in recorded !== key in actual) return [line(here, recorded[key], actual[key])];
    return differences(recorded[key], actual[key], slack, here);
  });
}

/** Whole numbers beyond 2^53 are numbers, too. */
function kind(value: unknown): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function keys(value: unknown): string {
  return isObject(value) ? Object.keys(value).sort().join() : kind(value);
}

/** PD lists stores, regions and schedulers in changing order. */
function listDifferences(recorded: unknown[], actual: unknown[], slack: SlackTable, path: string): string[] {
  if (recorded.length !== actual.length) return [line(`${path}.length`, recorded.length, actual.length)];
  const [left, right] = [recorded.toSorted(byIdentity), actual.toSorted(byIdentity)];
  return left.flatMap((item, index) => differences(item, right[index], slack, `${path}[${index}]`));
}

function byIdentity(a: unknown, b: unknown): number {
  const [left, right] = [identity(a), identity(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A store has its id one level deeper; members keep the order of the list. */
function identity(item: unknown): string {
  if (!isObject(item)) return String(item);
  const { id, key, value } = isObject(item.store) ? item.store : item;
  if (key !== undefined && value !== undefined) return `${key}=${value}`;
  return id === undefined ? '' : String(id).padStart(10, '0');
}

function isNear(recorded: unknown, actual: unknown): boolean {
  if (typeof recorded !== 'number' || typeof actual !== 'number') return false;
  return Math.abs(recorded - actual) <= Math.abs(recorded) * 1e-3;
}

function line(path: string, recorded: unknown, actual: unknown): string {
  return `${path || 'body'}: recorded ${show(recorded)}, got ${show(actual)}`;
}

function show(value: unknown): string {
  return typeof value === 'bigint'
    ? `${value}n`
    : (JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'nothing');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
