import { readFileSync } from 'node:fs';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What TiKV calls this much, under TiKV's names, types and labels. Families that a stand-in cannot know are absent. */
export interface StoreMetrics {
  readonly registry: Registry;
  readonly pdReconnects: Counter<'type'>;
  readonly pdRequestSeconds: Histogram<'type'>;
  readonly pdHeartbeatMessages: Counter<'type'>;
  readonly pdPendingHeartbeats: Gauge;
  readonly regionCount: Gauge<'type'>;
  readonly leaderMissing: Gauge;
  readonly storeSizeBytes: Gauge<'type'>;
  readonly slowScore: Gauge<'type'>;
  readonly inspectNetworkSeconds: Histogram<'source' | 'target'>;
  readonly grpcSeconds: Histogram<'type' | 'priority'>;
  readonly appendSeconds: Histogram;
  readonly commitSeconds: Histogram;
  readonly applySeconds: Histogram;
  readonly proposals: Counter<'type'>;
  readonly raftSent: Counter<'type' | 'status'>;
  readonly raftReceived: Counter;
  readonly raftReceivedByStore: Counter<'store'>;
  readonly reportFailures: Counter<'type' | 'store_id'>;
}

/** One registry per store process, so that nothing of Node's own metrics appears. */
export function createStoreMetrics({ version }: { readonly version: string }): StoreMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers });
  const seconds = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Histogram({ name, help, labelNames, registers, buckets: SECONDS });

  gauge('tikv_server_info', 'Indicate the tikv server info', 'version', 'hash').set({ version, hash: '' }, 1);
  registerProcess(registry);
  return {
    registry,
    pdReconnects: counter('tikv_pd_reconnect_total', 'Reconnects to PD by outcome', 'type'),
    pdRequestSeconds: seconds('tikv_pd_request_duration_seconds', 'Duration of requests to PD', 'type'),
    pdHeartbeatMessages: counter('tikv_pd_heartbeat_message_total', 'Region heartbeat messages', 'type'),
    pdPendingHeartbeats: gauge('tikv_pd_pending_heartbeat_total', 'Region heartbeats waiting for a stream'),
    regionCount: gauge('tikv_raftstore_region_count', 'Regions with a peer here, and those led here', 'type'),
    leaderMissing: gauge('tikv_raftstore_leader_missing', 'Regions without a known leader'),
    storeSizeBytes: gauge('tikv_store_size_bytes', 'Size of the store', 'type'),
    slowScore: gauge('tikv_raftstore_slow_score', 'Slow score, 1 is good', 'type'),
    inspectNetworkSeconds: seconds(
      'tikv_raftstore_inspect_network_duration_seconds',
      'Probes of other stores that took more than 100 ms',
      'source',
      'target',
    ),
    grpcSeconds: seconds('tikv_grpc_msg_duration_seconds', 'Duration of client requests', 'type', 'priority'),
    appendSeconds: seconds('tikv_raftstore_append_log_duration_seconds', 'Write and sync of the Raft log'),
    commitSeconds: seconds('tikv_raftstore_commit_log_duration_seconds', 'From proposal to commit'),
    applySeconds: seconds('tikv_raftstore_apply_log_duration_seconds', 'Applying committed entries'),
    proposals: counter('tikv_raftstore_proposal_total', 'Proposals by kind', 'type'),
    raftSent: counter('tikv_raftstore_raft_sent_message_total', 'Raft messages sent', 'type', 'status'),
    raftReceived: counter('tikv_server_raft_message_recv_total', 'Raft messages received'),
    raftReceivedByStore: counter('tikv_raftstore_message_recv_by_store', 'Raft messages received, by sender', 'store'),
    reportFailures: counter(
      'tikv_server_report_failure_msg_total',
      'Peers that could not be reached',
      'type',
      'store_id',
    ),
  };
}

/** TiKV's buckets: 0.5 ms doubled twenty times. */
const SECONDS = Array.from({ length: 20 }, (_, power) => 0.0005 * 2 ** power);

function registerProcess(registry: Registry): void {
  const registers = [registry];
  const startedAt = Math.floor(Date.now() / 1000 - process.uptime());
  new Gauge({ name: 'process_start_time_seconds', help: 'Start time in unix seconds', registers }).set(startedAt);
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: 'process_virtual_memory_bytes',
    help: 'Virtual memory',
    registers,
    collect() {
      this.set(virtualBytes());
    },
  });
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system CPU time',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}

/** First number of /proc/self/statm, in pages; 0 where there is no /proc. */
function virtualBytes(): number {
  try {
    return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]) * 4096;
  } catch {
    return 0;
  }
}
