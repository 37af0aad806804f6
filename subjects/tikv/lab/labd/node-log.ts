import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of each node at most twice this is kept: the present file and the one before it. */
const MAX_BYTES = 4 * 1024 * 1024;

const NEWLINE = 10;

/** Captured output of one node. */
export interface NodeLog {
  /** What the node wrote, as it is. */
  write(chunk: Buffer): void;
  /** A line of labd's own about the process, in the look of the node's lines, as a service manager would leave it. */
  note(text: string): void;
}

/** Where it goes and how much is kept. `maxBytes` is the size at which the file is put aside, 4 MiB by default. */
export interface NodeLogOptions {
  readonly file: string;
  readonly now: () => Date;
  readonly maxBytes?: number;
}

/** Opens a log for appending. Writes are synchronous, so nothing captured is lost when labd is killed. */
export function openNodeLog({ file, now, maxBytes = MAX_BYTES }: NodeLogOptions): NodeLog {
  mkdirSync(dirname(file), { recursive: true });
  let fd = openSync(file, 'a');
  let bytes = fstatSync(fd).size;
  let lineIsOpen = false;
  const write = (chunk: Buffer) => {
    if (bytes > 0 && bytes + chunk.length > maxBytes) {
      closeSync(fd);
      renameSync(file, olderFile(file));
      fd = openSync(file, 'a');
      bytes = 0;
    }
    bytes += writeSync(fd, chunk);
    if (chunk.length > 0) lineIsOpen = chunk[chunk.length - 1] !== NEWLINE;
  };
  return {
    write,
    note: (text) => write(Buffer.from(`${lineIsOpen ? '\n' : ''}[${stamp(now())}] [INFO] [labd] ["${text}"]\n`)),
  };
}

/** Which lines to read: the last `tail`, of those not older than `since`. Both left out: everything kept. */
export interface LogQuery {
  readonly file: string;
  readonly tail?: number;
  readonly since?: Date;
}

/** Lines of a node's log, oldest first. A line without a time (of a stack trace, say) has that of the line before. */
export function readNodeLog({ file, tail, since }: LogQuery): string[] {
  const lines = `${readIfThere(olderFile(file))}${readIfThere(file)}`.split('\n').slice(0, -1);
  const recent = since === undefined ? lines : lines.slice(firstSince(lines, since));
  return tail === undefined ? recent : recent.slice(Math.max(0, recent.length - tail));
}

function firstSince(lines: readonly string[], since: Date): number {
  const index = lines.findIndex((line) => (stampOf(line) ?? Number.NaN) >= since.getTime());
  return index === -1 ? lines.length : index;
}

/** PD and TiKV log in this form: `[2026/11/30 14:00:00.123 +00:00]`. */
const STAMP = /^\[(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d\.\d{3}) ([+-]\d\d:\d\d)\]/;

function stampOf(line: string): number | undefined {
  const found = STAMP.exec(line);
  return found ? Date.parse(`${found[1]}-${found[2]}-${found[3]}T${found[4]}${found[5]}`) : undefined;
}

function stamp(at: Date): string {
  return at.toISOString().replaceAll('-', '/').replace('T', ' ').replace('Z', ' +00:00');
}

function olderFile(file: string): string {
  return `${file}.1`;
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
