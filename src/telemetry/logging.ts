import type { Logger } from 'pino';
import { pino, stdTimeFunctions } from 'pino';
import { MedicError } from '../domain/errors.js';
import type { LogRecord } from './log-line.js';
import { forTerminal, redactRecord } from './log-line.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `process.stderr`, or whatever takes its place. */
export interface LogStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface LogOptions {
  /** Which process speaks: `worker`, `lab`. */
  readonly name: string;
  /** The least level that is written; see `logLevel`. */
  readonly level: LogLevel;
  /** Standard output belongs to the data of the verbs, so this is `process.stderr`. */
  readonly stream: LogStream;
  /** Values to be masked wherever they turn up; see `ownSecrets`. */
  readonly known: readonly string[];
}

/** The log of one process: JSON lines with ISO times, or plain lines on a terminal. Secrets are masked in both. */
export function createLog({ name, level, stream, known }: LogOptions): Logger {
  const write = (line: string) => {
    const record = redactRecord(JSON.parse(line) as LogRecord, known);
    stream.write(stream.isTTY ? forTerminal(record) : `${JSON.stringify(record)}\n`);
  };
  const formatters = { level: (label: string) => ({ level: label }) };
  return pino({ level, base: { name, pid: process.pid }, timestamp: stdTimeFunctions.isoTime, formatters }, { write });
}

/** The level that `MEDIC_LOG` asks for; `info` when it is not set. Throws `MEDIC_CONFIG_INVALID`. */
export function logLevel(env: Readonly<Record<string, string | undefined>>): LogLevel {
  const asked = env.MEDIC_LOG || 'info';
  const level = LOG_LEVELS.find((known) => known === asked);
  if (level) return level;
  const levels = LOG_LEVELS.map((known) => `\`${known}\``).join(', ');
  throw new MedicError(
    'MEDIC_CONFIG_INVALID',
    `\`MEDIC_LOG\` must be one of ${levels}, not \`${asked}\`.`,
    'Correct or unset it.',
  );
}
