import { escapeControls } from '../evidence/plain-text.js';
import { MASK, redact } from '../evidence/redact.js';

/** One log record as pino writes it. */
export type LogRecord = Readonly<Record<string, unknown>>;

/**
 * Masks secrets in all texts of a record. Each text is treated on its own, as masking whole JSON could break it; a text
 * under a key that names a secret (`password`) goes as a whole.
 */
export function redactRecord(record: LogRecord, known: readonly string[]): LogRecord {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, redactValue(key, value, known)]));
}

function redactValue(key: string, value: unknown, known: readonly string[]): unknown {
  if (typeof value === 'string') return namesSecret(key) ? MASK : redact(value, { known }).text;
  if (Array.isArray(value)) return value.map((item) => redactValue(key, item, known));
  if (value !== null && typeof value === 'object') return redactRecord(value as LogRecord, known);
  return value;
}

/** By the same rules as text: would `"key":"value"` be masked? */
const namesSecret = (key: string): boolean => redact(`"${key}":"value"`, { known: [] }).redactions > 0;

/** A record for a person at a terminal: `03:04:05.000 WARN  worker  message  ticket=tikv/1`, a stack below it. */
export function forTerminal({ time, level, name, pid: _pid, msg, err, ...rest }: LogRecord): string {
  const clock = String(time).slice(11, 23);
  const fields = Object.entries(rest).map(([key, value]) => `${key}=${shown(value)}`);
  const line = [`${clock} ${String(level).toUpperCase().padEnd(5)} ${name}`, msg ?? '', ...fields]
    .filter(Boolean)
    .join('  ');
  const { stack } = (err ?? {}) as { stack?: string };
  return escapeControls(stack ? `${line}\n  ${stack.replaceAll('\n', '\n  ')}\n` : `${line}\n`);
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
