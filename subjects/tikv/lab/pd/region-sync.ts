import type { RegionReport } from './model.js';
import type { PeerBody } from './peer-messages.js';

/** Reports of one batch leave together after this time; a follower may be behind by it. */
const BATCH_MS = 100;
const REPORTS_PER_MESSAGE = 200;

export interface RegionSyncOptions {
  readonly others: readonly string[];
  readonly send: (to: string, body: PeerBody) => void;
  /** All reports, for a follower that has none. */
  readonly all: () => readonly RegionReport[];
}

/**
 * Keeps the followers' region caches warm, outside of Raft (PD: `syncer`). A follower that takes over knows the regions
 * at once. Loss does no harm: the next heartbeat of the region brings it again, a new link brings everything.
 */
export class RegionSync {
  readonly #options: RegionSyncOptions;
  readonly #changed = new Map<number, RegionReport>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RegionSyncOptions) {
    this.#options = options;
  }

  /** A report was accepted by the leader. */
  pass(report: RegionReport): void {
    this.#changed.set(report.region.id, report);
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS);
  }

  /** A follower came into reach of the leader, or the leader is new. */
  fill(to: string): void {
    this.#send(to, this.#options.all());
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
  }

  #flush(): void {
    this.#timer = undefined;
    const reports = [...this.#changed.values()];
    this.#changed.clear();
    for (const name of this.#options.others) this.#send(name, reports);
  }

  #send(to: string, reports: readonly RegionReport[]): void {
    for (let at = 0; at < reports.length; at += REPORTS_PER_MESSAGE) {
      this.#options.send(to, { kind: 'regions', reports: reports.slice(at, at + REPORTS_PER_MESSAGE) });
    }
  }
}
