import type { StoreStatsMessage } from './pd-messages.js';

export interface StoreStatsSources {
  readonly storeId: number;
  readonly startedAt: Date;
  readonly regionCount: number;
  readonly sendingSnapshots: number;
  readonly receivingSnapshots: number;
  readonly usedBytes: number;
  readonly isBusy: boolean;
  readonly isStopping: boolean;
  readonly slowScore: number;
  readonly networkSlowScores: Record<string, number>;
  readonly intervalMs: number;
  readonly now: Date;
}

/**
 * Size that a store claims, like TiKV's `raftstore.capacity`. PD's scores call less than 50 GiB free nearly full
 * whatever the capacity, so a smaller claim would make it move regions away.
 */
export const CAPACITY_BYTES = 100 * 1024 ** 3;

/** What is free of the claimed size. */
export function availableBytes(usedBytes: number): number {
  return Math.max(0, CAPACITY_BYTES - usedBytes);
}

/** The body of a store heartbeat. Flow rates are left at 0: nothing schedules by them here. */
export function storeStats(from: StoreStatsSources): StoreStatsMessage {
  const nowSeconds = seconds(from.now);
  return {
    store_id: from.storeId,
    capacity: CAPACITY_BYTES,
    available: availableBytes(from.usedBytes),
    used_size: from.usedBytes,
    region_count: from.regionCount,
    sending_snap_count: from.sendingSnapshots,
    receiving_snap_count: from.receivingSnapshots,
    start_time: seconds(from.startedAt),
    is_busy: from.isBusy,
    is_stopping: from.isStopping,
    interval: { start_timestamp: nowSeconds - Math.floor(from.intervalMs / 1000), end_timestamp: nowSeconds },
    slow_score: from.slowScore,
    network_slow_scores: from.networkSlowScores,
  };
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
