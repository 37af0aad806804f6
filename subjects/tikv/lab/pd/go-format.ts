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
