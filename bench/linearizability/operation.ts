/** A write to one key. */
export interface WriteOperation {
  readonly kind: 'write';
  readonly key: string;
  readonly value: string;
  readonly calledAt: number;
  /** Null when nobody knows whether it happened: then it may have, at any time after the call, or never. */
  readonly returnedAt: number | null;
}

/** A read of one key that was answered; an unanswered one tells nothing and is no operation. */
export interface ReadOperation {
  readonly kind: 'read';
  readonly key: string;
  /** Null: the key was not there. */
  readonly value: string | null;
  readonly calledAt: number;
  readonly returnedAt: number;
}

/**
 * What one client did and saw. Both times are of one clock for all clients of a history: the call was made at or after
 * `calledAt`, the answer was there at or before `returnedAt`. Equal times count as overlapping.
 */
export type Operation = WriteOperation | ReadOperation;

/** `write "v7" 120.5..131` */
export function showOperation({ kind, value, calledAt, returnedAt }: Operation): string {
  const what = value === null ? 'nothing' : JSON.stringify(value);
  return `${kind} ${what} ${round(calledAt)}..${returnedAt === null ? '?' : round(returnedAt)}`;
}

const round = (at: number): number => Math.round(at * 1_000) / 1_000;
