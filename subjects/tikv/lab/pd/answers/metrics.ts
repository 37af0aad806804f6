import { BUILD } from '../build.js';
import { byType, exposition, type Family, single } from '../metrics-text.js';
import type { PdView } from '../view.js';
import type { Answer } from './answer.js';
import { clusterMetrics } from './cluster-metrics.js';

const ETCD_CLIENT = 'server-etcd-client';

/**
 * `GET /metrics` of this member. Only the leader has the families about stores; a follower's region gauges are 0, and a
 * reader must tell the two apart by `etcd_server_is_leader`.
 */
export function metrics(view: PdView): Answer {
  const families = [...etcdMetrics(view), ...serverMetrics(view), ...clusterMetrics(view)];
  return {
    status: 200,
    contentType: 'text/plain; version=0.0.4; charset=utf-8; escaping=values',
    body: exposition(families),
  };
}

function etcdMetrics({ raft }: PdView): Family[] {
  return [
    single(
      'etcd_server_has_leader',
      'gauge',
      'Whether or not a leader exists. 1 is existence, 0 is not.',
      Number(raft.leader !== null),
    ),
    single(
      'etcd_server_is_leader',
      'gauge',
      'Whether or not this member is a leader. 1 if is, 0 otherwise.',
      Number(raft.isLeader),
    ),
    single(
      'etcd_server_leader_changes_seen_total',
      'counter',
      'The number of leader changes seen.',
      raft.leaderChanges,
    ),
    single(
      'etcd_server_proposals_applied_total',
      'gauge',
      'The total number of consensus proposals applied.',
      raft.appliedIndex,
    ),
    single(
      'etcd_server_proposals_committed_total',
      'gauge',
      'The total number of consensus proposals committed.',
      raft.commitIndex,
    ),
    byType('pd_server_etcd_state', 'Etcd raft states.', {
      appliedIndex: raft.appliedIndex,
      committedIndex: raft.commitIndex,
      term: raft.term,
    }),
  ];
}

function serverMetrics(view: PdView): Family[] {
  const { process, members } = view;
  const endpoints = [['endpoint', members.length] as const, ...members.map(({ clientUrl }) => [clientUrl, 1] as const)];
  return [
    {
      name: 'pd_server_etcd_client',
      type: 'gauge',
      help: 'Etcd client states.',
      samples: endpoints.map(([type, value]) => ({ labels: { source: ETCD_CLIENT, type }, value })),
    },
    {
      name: 'pd_server_info',
      type: 'gauge',
      help: 'Indicate the pd server info, and the value is the start timestamp (s).',
      samples: [{ labels: { hash: BUILD.gitHash, version: BUILD.version }, value: Math.floor(process.startedAt) }],
    },
    {
      name: 'pd_tso_role',
      type: 'gauge',
      help: "Indicate the PD server role info, whether it's a TSO allocator.",
      samples: [{ labels: { dc: 'global', group: '0' }, value: Number(view.isLeader) }],
    },
    {
      name: 'pd_cluster_tso',
      type: 'gauge',
      help: 'Record of tso metadata.',
      samples: [{ labels: { dc: 'global', group: '0', type: 'tso' }, value: view.isLeader ? view.tsoMs : 0 }],
    },
    byType('pd_cluster_id', 'Record of id allocator.', { idalloc: view.isLeader ? view.state.idEnd : 0 }),
    single(
      'process_cpu_seconds_total',
      'counter',
      'Total user and system CPU time spent in seconds.',
      process.cpuSeconds,
    ),
    single('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', process.residentBytes),
    single(
      'process_start_time_seconds',
      'gauge',
      'Start time of the process since unix epoch in seconds.',
      process.startedAt,
    ),
  ];
}
