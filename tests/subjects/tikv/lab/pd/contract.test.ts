import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../../../../../subjects/tikv/lab/pd/answers/answer.js';
import { differences, type SlackTable } from './compare.js';
import { metricsDifferences } from './compare-metrics.js';
import { NOT_COVERED } from './not-covered.js';
import { RecordedCluster, recording, timesOf } from './recorded-cluster.js';
import { momentOf, parseExact, type Recording, recordingsOf, type Scenario } from './recordings.js';
import { EVENTS, momentOfCluster, SCENARIOS, SETUPS } from './scenarios.js';
import { tierOf } from './tiers.js';

/** What the recorded stores said beyond the subset of the store protocol that the stand-in speaks, or what PD smooths. */
const EVERYWHERE: SlackTable = {
  slow_trend: 'absent',
  cpu_usage: 'type',
  region_score: 'near',
  filename: 'type',
  raft_bootstrap_time: 'type',
  min_resolved_ts: 'type',
  stores_min_resolved_ts: 'keys',
  'query-write-rate': 'keys',
  'query-read-rate': 'keys',
  store_query: 'type',
};

/** Routes with a few fields that depend on the host, the moment or on scheduling. */
const BY_ROUTE: readonly { readonly path: RegExp; readonly slack: SlackTable }[] = [
  { path: /config\.default$/, slack: { name: 'type', job: 'type', 'data-dir': 'type', 'initial-cluster': 'type' } },
  { path: /schedulers\.diagnostic\./, slack: { status: 'type', summary: 'type', timestamp: 'type' } },
  { path: /\.trend/, slack: { available: 'near', end: 'type' } },
];

/** Flows of regions that no answer of the scenario lists. */
const WITHOUT_FLOWS: SlackTable = {
  'bytes-write-rate': 'keys',
  'bytes-read-rate': 'keys',
  'keys-write-rate': 'keys',
  'keys-read-rate': 'keys',
};

/** In this scenario no answer lists all regions, so their sizes are known only by type. */
const WITHOUT_SIZES: SlackTable = Object.fromEntries(
  [
    'leader_size region_size region_score approximate_size approximate_keys storage_size storage_keys empty_count',
    'store_leader_size store_leader_keys store_peer_size store_peer_keys available used_size',
  ]
    .join(' ')
    .split(' ')
    .map((field) => [field, 'type']),
);

/** After PD replaced the silent store's peers, only a scheduling PD has these counts. */
const AFTER_REPAIR: SlackTable = {
  ...Object.fromEntries(
    'leader_count leader_score leader_size region_count region_size region_score'
      .split(' ')
      .map((field) => [field, 'type']),
  ),
  learner_count: 'free',
  pending_peer_count: 'free',
};

/** Scenarios in which PD had moved replicas before or while they were recorded; no answer lists all regions. */
const MOVED: readonly Scenario[] = [
  'leader-concentration',
  'pd-member-removed',
  'operators',
  'store-heartbeats-only-missing',
  'store-join',
  'store-silent-3-stores',
  'store-slow-and-full',
  'stores-two-of-three-silent',
  'scheduler-evict-leader',
  'scheduler-grant-leader',
  'store-force-remove',
  'store-offline',
  'store-remove-refused',
  'store-settings',
];
const STATS_AFTER_MOVES: SlackTable = { store_leader_count: 'type', store_peer_count: 'type' };

describe.each(SCENARIOS)('the recorded answers of a real PD: %s', (scenario) => {
  const recordings = recordingsOf(scenario);
  const covered = recordings.filter((each) => tierOf(each) !== 3);
  const answers = new Map<string, Answer>();

  beforeAll(() => {
    const cluster = clusterOf(scenario);
    for (const each of covered) {
      EVENTS[each.name]?.(cluster, each);
      cluster.feed(recordings.filter((other) => momentOf(other) === momentOf(each) && feeds(each, other)));
      if (each.request.path === '/metrics') cluster.beat(each);
      answers.set(each.name, cluster.ask(each, momentOfCluster(each)));
    }
  });

  it.each(covered.map(({ name }) => name))('are the answers of the stand-in: %s', (name) => {
    const recorded = covered.find((each) => each.name === name)!;
    expect(contractBreaches(recorded, answers.get(name)!)).toEqual([]);
  });
});

describe('the tiers of the recorded answers', () => {
  const all = SCENARIOS.flatMap(recordingsOf);

  it('name only recorded requests as not covered', () => {
    const names = new Set(all.map(({ name }) => name));
    const strangers = Object.values(NOT_COVERED)
      .flat()
      .filter((name) => !names.has(name));
    expect(strangers).toEqual([]);
  });

  it('are as large as agreed: the first two may only grow, the third may only shrink', () => {
    const tiers = { 1: 0, 2: 0, 3: 0 };
    for (const each of all) tiers[tierOf(each)] += 1;
    const reasons = Object.fromEntries(Object.entries(NOT_COVERED).map(([reason, names]) => [reason, names.length]));
    process.stdout.write(
      `PD contract: tier 1 (spine) ${tiers[1]}, tier 2 (compared) ${tiers[2]}, tier 3 (not covered) ${tiers[3]} ` +
        `of ${all.length} recorded answers; tier 3 is ${JSON.stringify(reasons)}\n`,
    );
    expect({ tiers, reasons }).toEqual({
      tiers: { 1: 300, 2: 724, 3: 59 },
      reasons: { 'shows-scheduling': 48, 'runs-operators': 4, 'finds-hot-spots': 6, 'order-of-ties': 1 },
    });
  });
});

/** One line per difference in status, type, headers and body. */
function contractBreaches({ request, response, scenario, name }: Recording, answer: Answer): string[] {
  const type = response.headers['Content-Type'];
  const noSniff = response.headers['X-Content-Type-Options'] === 'nosniff';
  return [
    ...(answer.status === response.status ? [] : [`status: recorded ${response.status}, got ${answer.status}`]),
    ...(answer.contentType === type ? [] : [`content type: recorded ${type}, got ${answer.contentType}`]),
    ...((answer.noSniff ?? false) === noSniff ? [] : [`nosniff: recorded ${noSniff}`]),
    ...(request.path === '/metrics'
      ? metricsDifferences(String(response.body), answer.body)
      : differences(
          operatorWords(recordedBody(response)),
          operatorWords(bodyOf(response.body_format, answer)),
          slackOf(scenario, name),
        )),
  ];
}

/** When something of an operator happened, and the ids of peers that it adds, differ from run to run. */
function operatorWords(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(operatorWords);
  if (typeof body !== 'string') return body;
  return body
    .replaceAll(/(createAt|startAt|finishAt|duration):[^,)]+/g, '$1:TIME')
    .replaceAll(/(learner peer) 1\d\d/g, '$1 NEW');
}

/** A panic's stack has addresses; its first line is what a person sees. */
function bodyOf(format: Recording['response']['body_format'], answer: Answer): unknown {
  if (isPanic(answer.body)) return firstLine(answer.body);
  return format === 'json' ? parseExact(answer.body) : answer.body;
}

function recordedBody({ body }: Recording['response']): unknown {
  return typeof body === 'string' && isPanic(body) ? firstLine(body) : body;
}

const isPanic = (text: string): boolean => text.startsWith('PANIC: ');
const firstLine = (text: string): string => text.split('\n')[0] ?? '';

function slackOf(scenario: Scenario, name: string): SlackTable {
  const own = BY_ROUTE.filter(({ path }) => path.test(name)).map(({ slack }) => slack);
  return Object.assign({}, EVERYWHERE, ...own, ...slackOfScenario(scenario, name)) as SlackTable;
}

function slackOfScenario(scenario: Scenario, name: string): readonly SlackTable[] {
  if (scenario === 'pd-leader-killed') return [WITHOUT_SIZES, WITHOUT_FLOWS];
  if (MOVED.includes(scenario)) return [WITHOUT_SIZES, WITHOUT_FLOWS, AFTER_REPAIR, STATS_AFTER_MOVES];
  if (scenario === 'hot-regions') return [WITHOUT_FLOWS];
  if (scenario !== 'store-silent') return [];
  return name.endsWith('~back') ? [AFTER_REPAIR, WITHOUT_FLOWS] : [WITHOUT_FLOWS];
}

/** The cluster as it was when the scenario began. */
function clusterOf(scenario: Scenario): RecordedCluster {
  const cluster = new RecordedCluster(scenario, timesOf(scenario));
  const { stores, without } = SETUPS[scenario];
  if (stores !== null) {
    cluster.join({ stores: recording(stores), regions: recording('healthy/GET_pd.api.v1.regions'), without });
  }
  return cluster;
}

/** Region reports of a moment are known from its start; a store's last heartbeat is that of the answer itself. */
function feeds(asked: Recording, other: Recording): boolean {
  return other === asked || other.request.path.startsWith('/pd/api/v1/regions/check/');
}
