import { bareReport, type Region, type RegionReport } from './model.js';
import { RegionDisk } from './region-disk.js';
import { RegionSync, type RegionSyncOptions } from './region-sync.js';
import { type Acceptance, RegionCache } from './regions.js';

export interface RegionBookOptions extends Omit<RegionSyncOptions, 'all'> {
  /** Folder of the member. */
  readonly dir: string;
}

/** The regions as one member knows them: in memory, on its disk, and told to the others while it leads. */
export class RegionBook {
  readonly cache = new RegionCache();
  readonly #disk: RegionDisk;
  readonly #sync: RegionSync;

  constructor({ dir, others, send }: RegionBookOptions) {
    this.#disk = new RegionDisk({ dir, regions: () => this.cache.all().map(({ region }) => region) });
    this.#sync = new RegionSync({ others, send, all: () => this.cache.all() });
  }

  /** Takes over what the member knew when it ended. */
  async load(): Promise<void> {
    this.cache.load(await this.#disk.load());
  }

  /** A store reported to this leader. */
  hear(report: RegionReport): Acceptance {
    const acceptance = this.cache.accept(report);
    if (!acceptance.accepted) return acceptance;
    if (acceptance.moved) this.#disk.touch();
    this.#sync.pass(report);
    return acceptance;
  }

  /** The leader told this follower. */
  copy(reports: readonly RegionReport[]): void {
    const moved = reports.map((report) => this.cache.accept(report)).some((each) => each.accepted && each.moved);
    if (moved) this.#disk.touch();
  }

  /** The first region of a cluster, which no store reported yet. */
  begin(region: Region): void {
    this.cache.load([region]);
    this.#sync.pass(bareReport(region));
    this.#disk.touch();
  }

  /** Everything, for a follower that may have nothing. */
  fill(to: string): void {
    this.#sync.fill(to);
  }

  /** Tells nobody any more what is still to be told. */
  hush(): void {
    this.#sync.stop();
  }

  /** Writes what is still to be written. */
  async close(): Promise<void> {
    this.hush();
    await this.#disk.close();
  }
}
