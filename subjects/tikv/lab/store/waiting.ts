import type { RegionError } from './client-protocol.js';

/** Outcome of one request to a region; `null` of a write means done. */
export type RegionResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: LocalError };

/** As {@link RegionError}, with the leader's peer id instead of an address, which a region does not know. */
export type LocalError =
  | Exclude<RegionError, { kind: 'NotLeader' }>
  | { readonly kind: 'NotLeader'; readonly leaderPeer: number | null };

interface WaitingWrite {
  readonly term: number;
  readonly done: (result: RegionResult<null>) => void;
}

interface WaitingRead {
  readonly index: number;
  readonly key: string;
  readonly done: (result: RegionResult<string | null>) => void;
}

/** Requests to one region that wait for its log. */
export interface Waiting {
  /** Writes under way. */
  readonly writes: number;
  /** Waits for the entry at `index`, which must be of `term`. */
  write(at: { readonly index: number; readonly term: number }): Promise<RegionResult<null>>;
  /** Waits until `index` is applied. */
  read(at: { readonly index: number; readonly key: string }): Promise<RegionResult<string | null>>;
  /** The entry is applied. */
  applied(entry: { readonly index: number; readonly term: number }): void;
  /** Everything up to `index` is applied. */
  serveReads(index: number, get: (key: string) => string | null): void;
  /** Leadership is gone: what becomes of the waiting writes is unknown here. */
  drop(): void;
}

const STALE = { ok: false, error: { kind: 'StaleCommand' } } as const;

/** Starts empty. */
export function createWaiting(): Waiting {
  const writes = new Map<number, WaitingWrite>();
  let reads: WaitingRead[] = [];
  return {
    get writes() {
      return writes.size;
    },
    write: ({ index, term }) => new Promise((done) => void writes.set(index, { term, done })),
    read: ({ index, key }) => new Promise((done) => void reads.push({ index, key, done })),
    applied({ index, term }) {
      const waiting = writes.get(index);
      writes.delete(index);
      waiting?.done(waiting.term === term ? { ok: true, value: null } : STALE);
    },
    serveReads(applied, get) {
      const ready = reads.filter(({ index }) => index <= applied);
      reads = reads.filter(({ index }) => index > applied);
      for (const { key, done } of ready) done({ ok: true, value: get(key) });
    },
    drop() {
      for (const { done } of [...writes.values(), ...reads]) done(STALE);
      writes.clear();
      reads = [];
    },
  };
}
