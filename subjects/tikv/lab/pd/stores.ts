import type { ClusterTimes } from '../../profiles.js';
import type { StoreMeta, StoreStats } from './model.js';

/** What PD's API calls a store. Offline and Tombstone hide whether it is alive. */
export type StateName = 'Up' | 'Disconnected' | 'Down' | 'Offline' | 'Tombstone';

/** The parts of a time table that make a store's name. */
export type Silence = Pick<ClusterTimes, 'disconnectedMs' | 'storeDownMs'>;

/** PD writes a store's last heartbeat to disk at most once in this many heartbeat intervals (PD: 5 min of 10 s ones). */
const HEARTBEATS_PER_SAVE = 30;

interface Heard {
  readonly lastHeartbeatNs: bigint;
  readonly stats: StoreStats;
}

/** The name by the age of the last heartbeat (PD: `StoreInfo.IsDisconnected`, `DownTime`). */
export function stateName(store: StoreMeta, silence: Silence, silentNs: bigint): StateName {
  if (store.state !== 'Up') return store.state;
  if (silentNs > nanos(silence.storeDownMs)) return 'Down';
  return silentNs > nanos(silence.disconnectedMs) ? 'Disconnected' : 'Up';
}

/** The stores' heartbeats as one leader heard them. A new leader starts with none and falls back on what is on disk. */
export class StoreHeartbeats {
  readonly #heard = new Map<number, Heard>();
  readonly #savedNs = new Map<number, bigint>();

  hear(storeId: number, stats: StoreStats, atNs: bigint): void {
    this.#heard.set(storeId, { stats, lastHeartbeatNs: atNs });
  }

  /** Undefined until the first heartbeat under this leader. */
  stats(storeId: number): StoreStats | undefined {
    return this.#heard.get(storeId)?.stats;
  }

  lastHeartbeatNs(store: StoreMeta): bigint {
    return this.#heard.get(store.id)?.lastHeartbeatNs ?? BigInt(store.lastHeartbeatNs);
  }

  /** Is it time to write this store's last heartbeat to disk? The first one under a leader always is. */
  takeSaveTurn(storeId: number, atNs: bigint, storeHeartbeatMs: number): boolean {
    const saved = this.#savedNs.get(storeId);
    if (saved !== undefined && atNs - saved < nanos(HEARTBEATS_PER_SAVE * storeHeartbeatMs)) return false;
    this.#savedNs.set(storeId, atNs);
    return true;
  }

  /** Whoever becomes leader anew knows only what is on disk. */
  forget(): void {
    this.#heard.clear();
    this.#savedNs.clear();
  }
}

function nanos(ms: number): bigint {
  return BigInt(ms) * 1_000_000n;
}
