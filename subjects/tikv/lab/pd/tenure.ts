import { Ids } from './ids.js';
import { Pauses } from './pauses.js';
import type { Operator } from './schedule/operator.js';
import type { OrderStream } from './schedule/order.js';
import { Scheduling } from './schedule/scheduling.js';
import type { Scene } from './schedule/survey.js';
import type { Applied, Command, PdState } from './state.js';
import { StoreHeartbeats } from './stores.js';
import { Timestamps } from './tso.js';
import type { RegionHeartbeatCount } from './view.js';

export interface TenureOptions {
  readonly state: () => PdState;
  readonly propose: (command: Command) => Promise<Applied>;
  /** Wall clock, unix ms. */
  readonly wallMs: () => number;
  /** The cluster, but for what the tenure itself knows of it. */
  readonly scene: () => Omit<Scene, 'heartbeats' | 'pauses' | 'state'>;
  /** An operator began or ended. */
  readonly onOperator: (operator: Operator) => void;
}

/** What a leader has only while it leads; the next one starts anew from what is on disk. */
export class Tenure {
  readonly ids: Ids;
  readonly timestamps: Timestamps;
  readonly heartbeats = new StoreHeartbeats();
  readonly pauses = new Pauses();
  readonly scheduling: Scheduling;
  readonly streams = new Map<number, OrderStream>();
  readonly #counts = new Map<number, RegionHeartbeatCount>();

  constructor({ state, propose, wallMs, scene, onOperator }: TenureOptions) {
    this.ids = new Ids({ end: () => state().idEnd, propose });
    this.timestamps = new Timestamps({ endMs: () => state().tsoEndMs, propose, nowMs: wallMs });
    this.scheduling = new Scheduling({
      scene: () => ({ ...scene(), state: state(), heartbeats: this.heartbeats, pauses: this.pauses }),
      peerId: () => this.ids.take(),
      random: Math.random,
      send: (order) => this.streams.get(order.storeId)?.tell(order),
      suggest: (command) => void propose(command).catch(() => undefined),
      onChange: onOperator,
    });
  }

  get regionHeartbeats(): ReadonlyMap<number, RegionHeartbeatCount> {
    return this.#counts;
  }

  count(storeId: number, what: keyof RegionHeartbeatCount): void {
    const count = this.#counts.get(storeId) ?? { received: 0, accepted: 0, bound: 0 };
    this.#counts.set(storeId, { ...count, [what]: count[what] + 1 });
  }
}
