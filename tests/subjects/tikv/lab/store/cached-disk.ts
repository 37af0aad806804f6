import { setImmediate as turn } from 'node:timers/promises';
import { type GroupWrite, replay, type StoredGroup } from '../../../../../subjects/tikv/lab/raft/storage.js';

/** A store's disk behind a cache: what was not synced before a crash may be lost, from the end on. */
export class CachedDisk {
  #platter = new Map<string, StoredGroup>();
  #cache: GroupWrite[][] = [];
  #life = 0;

  /** As the write-ahead log does it: one batch after the other, synced if any of it must be. */
  async save(batch: GroupWrite[]): Promise<void> {
    const life = this.#life;
    this.#cache.push(structuredClone(batch));
    await turn();
    if (life !== this.#life) return;
    if (batch.some(({ ready }) => ready.mustSync)) this.#sync(this.#cache.length);
  }

  /** Power is cut: by chance a part of the unsynced batches, from the first one on, is on the platter. */
  crash(random: () => number): void {
    this.#life += 1;
    this.#sync(Math.floor(random() * (this.#cache.length + 1)));
    this.#cache = [];
  }

  /** What a new process finds. */
  read(): Map<string, StoredGroup> {
    return structuredClone(this.#platter);
  }

  #sync(batches: number): void {
    for (const batch of this.#cache.splice(0, batches)) replay(this.#platter, batch);
  }
}
