import type { Ready } from './member.js';
import type { RaftRestored } from './types.js';

/** The part of a Ready that goes to disk. A seed layout may write one by hand. */
export type Persistable = Pick<Ready, 'hardState' | 'entries' | 'snapshot' | 'compacted'>;

/** The disk of a member that has never run: it made no promise and may vote at once. */
export function blankRestored(): RaftRestored {
  return { hardState: { term: 0, vote: null, commit: 0 }, entries: [], snapshot: null };
}

/** Changes `disk` to what it holds once `ready` is written. Replaying all writes in order gives the state after a restart. */
export function persist(disk: RaftRestored, ready: Persistable): void {
  if (ready.snapshot) {
    disk.snapshot = ready.snapshot;
    disk.entries = [];
  }
  if (ready.compacted) {
    const { index } = ready.compacted;
    disk.snapshot = ready.compacted;
    disk.entries = disk.entries.filter((entry) => entry.index > index);
  }
  append(disk, ready.entries);
  if (ready.hardState) disk.hardState = ready.hardState;
}

function append(disk: RaftRestored, entries: Persistable['entries']): void {
  const first = entries[0];
  if (!first) return;
  const kept = first.index - 1 - (disk.snapshot?.index ?? 0);
  if (kept < 0 || kept > disk.entries.length) {
    throw new Error(`entry ${first.index} does not follow a log of ${disk.entries.length} entries`);
  }
  disk.entries.length = kept;
  disk.entries.push(...entries);
}
