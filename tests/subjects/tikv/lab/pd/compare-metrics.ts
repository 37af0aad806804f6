/** Families that the stand-in does not have: they count PD's scheduling, its Go runtime or etcd's own work. */
const NOT_SERVED = new Set(
  [
    'etcd_mvcc_db_total_size_in_bytes etcd_mvcc_db_total_size_in_use_in_bytes etcd_server_health_failures',
    'etcd_server_health_success etcd_server_proposals_failed_total etcd_server_proposals_pending go_goroutines',
    'pd_checker_event_count pd_checker_region_list pd_cluster_region_event pd_hbstream_region_message',
    'pd_hotcache_status pd_hotspot_status pd_region_syncer_status pd_rule_manager_status pd_schedule_operator_limit',
    'pd_schedule_operators_count pd_schedule_scatter_operators_count pd_scheduler_event_count',
    'pd_server_cluster_state_cpu_usage pd_service_maxprocs pd_tso_events process_open_fds',
  ]
    .join(' ')
    .split(' '),
);

/** Families whose values follow from the fed cluster; of the others only names, types and labels are compared. */
const DETERMINED = new Set(
  [
    'etcd_server_has_leader etcd_server_is_leader pd_cluster_health_status pd_cluster_id pd_cluster_status',
    'pd_cluster_store_limit pd_config_status pd_regions_status pd_scheduler_status pd_scheduler_store_status',
    'pd_scheduling_allowance_status pd_server_etcd_client pd_tso_role',
  ]
    .join(' ')
    .split(' '),
);

/** Samples that only a PD fed by real stores has: flow, CPU and disk of a store, slow trends, witnesses, sync round trips. */
const NOT_SERVED_SAMPLES =
  /type="(store_(cpu|disk|read|write|regions|slow_trend)\w*|witness\w*|global_tso_sync_rtt|keyspace-idAlloc)"/;
const NOT_SERVED_SETTINGS =
  /type="(affinity-schedule-limit|enable-[\w-]+|hot-region-cache-hits-threshold|max-affinity-merge-region-size|region-(max|split)-(keys|size)|offline-peer-region-count|oversized-region-count|undersized-region-count|witness-leader-region-count)"/;

/** Where `actual` differs from the families, types, labels and determined values of `recorded`. */
export function metricsDifferences(recorded: string, actual: string): string[] {
  const [left, right] = [familiesOf(recorded), familiesOf(actual)];
  const unknown = [...right.keys()].filter((name) => !left.has(name)).map((name) => `${name}: a real PD has none`);
  const missing = [...left.keys()]
    .filter((name) => !right.has(name) && !NOT_SERVED.has(name))
    .map((name) => `${name}: missing`);
  const shared = [...left.keys()].filter((name) => right.has(name));
  return [
    ...unknown,
    ...missing,
    ...shared.flatMap((name) => familyDifferences(name, left.get(name)!, right.get(name)!)),
  ];
}

interface Family {
  readonly head: readonly string[];
  readonly samples: ReadonlyMap<string, number>;
}

interface MutableFamily {
  readonly head: string[];
  readonly samples: Map<string, number>;
}

function familyDifferences(name: string, recorded: Family, actual: Family): string[] {
  const head = recorded.head.join('\n') === actual.head.join('\n') ? [] : [`${name}: ${actual.head.join(' / ')}`];
  const series = [...recorded.samples].filter(
    ([key]) => !NOT_SERVED_SAMPLES.test(key) && !NOT_SERVED_SETTINGS.test(key),
  );
  const strangers = [...actual.samples.keys()]
    .filter((key) => !recorded.samples.has(key))
    .map((key) => `${key}: a real PD has none`);
  const wrong = series.flatMap(([key, value]) => {
    const got = actual.samples.get(key);
    if (got === undefined) return [`${key}: missing`];
    const equal = Math.abs(got - value) <= Math.abs(value) * 1e-3;
    return !DETERMINED.has(name) || equal ? [] : [`${key}: recorded ${value}, got ${got}`];
  });
  return [...head, ...strangers, ...wrong];
}

function familiesOf(text: string): Map<string, Family> {
  const families = new Map<string, MutableFamily>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const name = line.startsWith('#') ? line.split(' ')[2]! : line.split(/[{ ]/)[0]!;
    const family: MutableFamily = families.get(name) ?? { head: [], samples: new Map() };
    families.set(name, family);
    const space = line.lastIndexOf(' ');
    if (line.startsWith('#')) family.head.push(line);
    else family.samples.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return families;
}
