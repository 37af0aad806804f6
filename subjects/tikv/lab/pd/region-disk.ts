import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Region } from './model.js';

/** PD writes its regions this often at most; what a crash loses, the next heartbeats bring back. */
const SAVE_MS = 3_000;
const FILE = 'regions.json';

/** The places of the regions on this member's disk, so that a cold start knows them before any store speaks. */
export class RegionDisk {
  readonly #dir: string;
  readonly #regions: () => readonly Region[];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: { readonly dir: string; readonly regions: () => readonly Region[] }) {
    this.#dir = options.dir;
    this.#regions = options.regions;
  }

  /** None without a readable file: the regions then come from heartbeats. */
  async load(): Promise<Region[]> {
    try {
      return JSON.parse(await readFile(join(this.#dir, FILE), 'utf8')) as Region[];
    } catch {
      return [];
    }
  }

  /** Range, peers or leader of a region changed. */
  touch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#save();
    }, SAVE_MS);
  }

  /** Writes what is still to be written. */
  async close(): Promise<void> {
    const due = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (due) await this.#save();
  }

  #save(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined);
    return this.#writing;
  }

  async #write(): Promise<void> {
    await mkdir(this.#dir, { recursive: true });
    const path = join(this.#dir, FILE);
    await writeFile(`${path}.new`, JSON.stringify(this.#regions()));
    await rename(`${path}.new`, path);
  }
}
