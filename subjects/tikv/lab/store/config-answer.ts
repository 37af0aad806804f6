import type { StoreArgs } from './args.js';

/**
 * `GET /config`: only what is true of this store, under TiKV's keys. PD reads `coprocessor.region-*` and
 * `storage.engine` once a minute to learn how large regions get.
 */
export function configAnswer(args: StoreArgs): object {
  const { cluster } = args.profile;
  return {
    'slow-log-threshold': '1s',
    log: { level: 'info', format: 'text', 'enable-timestamp': true },
    server: {
      addr: args.address,
      'advertise-addr': args.address,
      'status-addr': args.statusAddress,
      'advertise-status-addr': args.statusAddress,
      labels: { host: args.name },
    },
    storage: { 'data-dir': args.dataDir, engine: 'raft-kv', 'reserve-space': '0KiB' },
    pd: { endpoints: args.pd },
    raftstore: {
      'raft-base-tick-interval': duration(cluster.raftTickMs),
      'raft-heartbeat-ticks': cluster.raftHeartbeatTicks,
      'raft-election-timeout-ticks': cluster.raftElectionTicks,
      'hibernate-regions': false,
      'pd-heartbeat-tick-interval': duration(cluster.regionHeartbeatMs),
      'pd-store-heartbeat-tick-interval': duration(cluster.storeHeartbeatMs),
      'max-peer-down-duration': duration(cluster.peerDownMs),
    },
    coprocessor: {
      'region-max-size': '384MiB',
      'region-split-size': '256MiB',
      'region-max-keys': 3_840_000,
      'region-split-keys': 2_560_000,
    },
  };
}

/** TiKV writes `10s` and `200ms`. */
function duration(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}
