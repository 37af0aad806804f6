const NANOS_PER_SECOND = 1_000_000_000n;
const SIZE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A duration as Go prints it: `284.77458ms`, `1m0.423173117s`, `30m0s`. */
export function goDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  if (nanos < 0n) return `-${goDuration(-nanos)}`;
  if (nanos < 1_000n) return `${nanos}ns`;
  if (nanos < 1_000_000n) return `${fraction(nanos, 1_000n)}µs`;
  if (nanos < NANOS_PER_SECOND) return `${fraction(nanos, 1_000_000n)}ms`;
  const seconds = nanos / NANOS_PER_SECOND;
  const [hours, minutes] = [seconds / 3600n, (seconds / 60n) % 60n];
  const rest = `${fraction(nanos % (60n * NANOS_PER_SECOND), NANOS_PER_SECOND)}s`;
  if (hours > 0n) return `${hours}h${minutes}m${rest}`;
  return minutes > 0n ? `${minutes}m${rest}` : rest;
}

/** A moment as Go's RFC3339Nano in UTC: as many decimals as are needed, none for a full second. */
export function goTime(unixNanos: bigint): string {
  const seconds = new Date(Number(unixNanos / NANOS_PER_SECOND) * 1000).toISOString().slice(0, 19);
  return `${seconds}${decimals(unixNanos % NANOS_PER_SECOND, 9)}Z`;
}

/** Bytes with 4 digits in binary units (go-units `BytesSize`): `192.7GiB`, `0B`. */
export function goBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < SIZE_UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Number(size.toPrecision(4))}${SIZE_UNITS[unit]}`;
}

/** A number as Go's shortest `%g`, which is how Prometheus text has it: `1.44e+06`, `540000`, `0.7`. */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6)
    return value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function fraction(nanos: bigint, unit: bigint): string {
  return `${nanos / unit}${decimals(nanos % unit, unit.toString().length - 1)}`;
}

function decimals(rest: bigint, places: number): string {
  const digits = rest.toString().padStart(places, '0').replace(/0+$/, '');
  return digits === '' ? '' : `.${digits}`;
}

const DURATION_UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/**
 * A duration as Go reads it: `1h30m`, `1.5s`, `-2ms`, `0`.
 *
 * @returns nanoseconds, null for anything else; see {@link durationFault} for Go's complaint
 */
export function parseGoDuration(text: string): number | null {
  return durationFault(text) === null ? nanosOf(text) : null;
}

/** Go's complaint about a duration, null if it has none. */
export function durationFault(text: string): string | null {
  const quoted = JSON.stringify(text);
  const bare = text.replace(/^[-+]/, '');
  if (bare === '0') return null;
  const parts = [...bare.matchAll(/(\d+\.?\d*|\.\d+)([^\d.]*)/g)];
  if (bare === '' || parts.map(([part]) => part).join('') !== bare) return `time: invalid duration ${quoted}`;
  for (const [, , unit = ''] of parts) {
    if (unit === '') return `time: missing unit in duration ${quoted}`;
    if (!(unit in DURATION_UNITS)) return `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
  }
  return null;
}

function nanosOf(text: string): number {
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g)];
  const nanos = parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (DURATION_UNITS[unit] ?? 0), 0);
  return text.startsWith('-') ? -nanos : nanos;
}
