import type { Ready } from '../../subjects/tikv/lab/raft/member.js';
import { blankRestored, persist } from '../../subjects/tikv/lab/raft/restored.js';
import type { RaftRestored } from '../../subjects/tikv/lab/raft/types.js';

/** A disk behind a cache: what was not synced before a crash may be lost from the end on. */
export class Disk {
  private readonly platter: RaftRestored;
  private cache: Ready[] = [];

  constructor(platter: RaftRestored = blankRestored()) {
    this.platter = platter;
  }

  write(ready: Ready): void {
    this.cache.push(ready);
  }

  sync(): void {
    for (const ready of this.cache) persist(this.platter, ready);
    this.cache = [];
  }

  /** Power is cut: the first `kept` of the unsynced writes happen to be on the platter, the others are gone. */
  crash(kept: number): void {
    for (const ready of this.cache.slice(0, kept)) persist(this.platter, ready);
    this.cache = [];
  }

  get unsynced(): number {
    return this.cache.length;
  }

  read(): RaftRestored {
    const { hardState, entries, snapshot } = this.platter;
    return { hardState, entries: [...entries], snapshot };
  }
}
