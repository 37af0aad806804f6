import { Ids } from './ids.js';
import { Pauses } from './pauses.js';
import type { Applied, Command, PdState } from './state.js';
import { StoreHeartbeats } from './stores.js';
import { Timestamps } from './tso.js';
import type { RegionHeartbeatCount } from './view.js';

export interface TenureOptions {
  readonly state: () => PdState;
  readonly propose: (command: Command) => Promise<Applied>;
  /** Wall clock, unix ms. */
  readonly wallMs: () => number;
}

/** What a leader has only while it leads; the next one starts anew from what is on disk. */
export class Tenure {
  readonly ids: Ids;
  readonly timestamps: Timestamps;
  readonly heartbeats = new StoreHeartbeats();
  readonly pauses = new Pauses();
  readonly #counts = new Map<number, RegionHeartbeatCount>();

  constructor({ state, propose, wallMs }: TenureOptions) {
    this.ids = new Ids({ end: () => state().idEnd, propose });
    this.timestamps = new Timestamps({ endMs: () => state().tsoEndMs, propose, nowMs: wallMs });
  }

  get regionHeartbeats(): ReadonlyMap<number, RegionHeartbeatCount> {
    return this.#counts;
  }

  count(storeId: number, what: keyof RegionHeartbeatCount): void {
    const count = this.#counts.get(storeId) ?? { received: 0, accepted: 0, bound: 0 };
    this.#counts.set(storeId, { ...count, [what]: count[what] + 1 });
  }
}
