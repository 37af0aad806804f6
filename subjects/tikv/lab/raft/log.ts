import type { CommitPoint, LogEnd } from './messages.js';
import type { Entry, RaftRestored, Snapshot } from './types.js';

/** Taken once: a global is slow to look up in the module context in which the simulation is tested. */
const { max, min } = Math;

/** Where a part of the log starts: the entry just before it. */
export interface LogPoint {
  index: number;
  term: number;
}

/** Outcome of an append from a leader: `lastIndex` is the last entry known to equal the leader's. */
export type Merge = { ok: true; lastIndex: number } | { ok: false; hint: LogPoint };

/**
 * The log in memory: entries after `base`, the newest snapshot (which may lie ahead of `base`, the entries between
 * being kept for slow followers), the commit index, and how far disk and state machine have got with it.
 */
export class RaftLog {
  /** The entry before the first one held. */
  base: LogPoint;
  snapshot: Snapshot | null;
  commit: number;
  /** Given out in a Ready to be written. */
  handed: number;
  /** Written for certain. Only this much of a leader's own log counts towards a majority. */
  durable: number;
  /** Given out in a Ready to be applied. */
  delivered: number;
  applied: number;
  private entries: Entry[];

  constructor({ hardState, entries, snapshot }: RaftRestored) {
    this.base = { index: snapshot?.index ?? 0, term: snapshot?.term ?? 0 };
    this.snapshot = snapshot;
    this.entries = [...entries];
    this.commit = max(hardState.commit, this.base.index);
    this.handed = this.durable = this.lastIndex;
    this.delivered = this.applied = this.base.index;
    if (this.commit > this.lastIndex) {
      throw new Error(`log ends at ${this.lastIndex}, before the commit index ${this.commit}: entries are missing`);
    }
  }

  get lastIndex(): number {
    return this.base.index + this.entries.length;
  }

  get committed(): CommitPoint {
    return { commit: this.commit, commitTerm: this.termAt(this.commit) ?? 0 };
  }

  get end(): LogEnd {
    const last = this.entries.at(-1);
    return { lastIndex: this.lastIndex, lastTerm: last?.term ?? this.base.term };
  }

  /** Null for an index not held: compacted away or not there yet. */
  termAt(index: number): number | null {
    if (index === this.base.index) return this.base.term;
    return this.entries[index - this.base.index - 1]?.term ?? null;
  }

  /** Held entries with `from <= index <= to`, at most `limit`. */
  slice({ from, to, limit }: { from: number; to: number; limit?: number }): Entry[] {
    if (from > to) return [];
    const start = max(0, from - this.base.index - 1);
    const end = to - this.base.index;
    return this.entries.slice(start, limit === undefined ? end : min(end, start + limit));
  }

  /** A voter's test: a log that ends in an older term, or earlier in the same term, may lack committed entries. */
  isUpToDate({ lastIndex, lastTerm }: LogEnd): boolean {
    const own = this.end;
    return lastTerm > own.lastTerm || (lastTerm === own.lastTerm && lastIndex >= own.lastIndex);
  }

  /** A leader's own entry. */
  push(entry: Entry): void {
    this.entries.push(entry);
  }

  /** A leader's entries on a follower: drops what conflicts, keeps what is there already. Throws if committed entries would go. */
  merge({ prevIndex, prevTerm, entries }: { prevIndex: number; prevTerm: number; entries: Entry[] }): Merge {
    // Everything up to the commit index equals any later leader's log, so an append that starts before `base` adds no doubt.
    if (prevIndex < this.base.index) return { ok: true, lastIndex: this.commit };
    if (this.termAt(prevIndex) !== prevTerm) {
      this.refuseIfCommitted(prevIndex);
      return { ok: false, hint: this.agreement({ index: min(prevIndex, this.lastIndex), term: prevTerm }) };
    }
    const fresh = entries.findIndex((entry) => this.termAt(entry.index) !== entry.term);
    if (fresh >= 0) this.replaceFrom(prevIndex + 1 + fresh, entries.slice(fresh));
    return { ok: true, lastIndex: prevIndex + entries.length };
  }

  /** The last held entry at or before `index` whose term is not above `term`: the logs cannot agree later than that. */
  agreement({ index, term }: LogPoint): LogPoint {
    let at = index;
    while (at > this.base.index && (this.termAt(at) ?? 0) > term) at -= 1;
    return { index: at, term: this.termAt(at) ?? 0 };
  }

  commitTo(index: number): void {
    if (index > this.lastIndex) {
      throw new Error(`told to commit ${index}, but the log ends at ${this.lastIndex}: acknowledged entries were lost`);
    }
    this.commit = max(this.commit, index);
  }

  /** Commits up to an entry that another member knows to be committed, if it is here. */
  learnCommit({ commit, commitTerm }: CommitPoint): void {
    if (commit > this.commit && this.termAt(commit) === commitTerm) this.commit = commit;
  }

  /** The applied state at `snapshot.index`; entries up to `trailing` before it stay in memory. */
  compact(snapshot: Snapshot, trailing: number): void {
    this.snapshot = snapshot;
    const index = max(this.base.index, snapshot.index - trailing);
    const term = this.termAt(index) ?? snapshot.term;
    this.entries.splice(0, index - this.base.index);
    this.base = { index, term };
  }

  /** Replaces everything by a leader's snapshot. */
  restore(snapshot: Snapshot): void {
    this.snapshot = snapshot;
    this.base = { index: snapshot.index, term: snapshot.term };
    this.entries = [];
    this.commit = this.handed = this.durable = this.delivered = snapshot.index;
  }

  private replaceFrom(index: number, entries: Entry[]): void {
    this.refuseIfCommitted(index);
    this.entries.length = index - this.base.index - 1;
    this.entries.push(...entries);
    this.handed = min(this.handed, index - 1);
    this.durable = min(this.durable, index - 1);
  }

  private refuseIfCommitted(index: number): void {
    if (index <= this.commit)
      throw new Error(`entry ${index} conflicts with the leader's, but ${this.commit} is committed`);
  }
}
