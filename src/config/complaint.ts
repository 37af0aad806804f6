import type { ErrorCode } from '../domain/errors.js';
import { MedicError } from '../domain/errors.js';

/** Line and column in a file, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with a configuration file. */
export interface Complaint {
  readonly code: ErrorCode;
  readonly at: Position;
  /** A whole sentence. */
  readonly words: string;
}

/** One error for all complaints about a file, each on a line `file:line:column  words`, in the order of the file. */
export function refuse(path: string, complaints: readonly Complaint[]): MedicError {
  const ordered = [...complaints].sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  const lines = ordered.map(({ at, words }) => `${path}:${at.line}:${at.column}  ${words}`);
  return new MedicError(ordered[0]?.code ?? 'MEDIC_CONFIG_INVALID', lines.join('\n'));
}
