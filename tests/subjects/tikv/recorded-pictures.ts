import { readFileSync } from 'node:fs';
import { type Instant, instant } from '../../../src/domain/ids.js';
import { gap, known, type Reading } from '../../../src/domain/reading.js';
import { createLeaderWatch } from '../../../subjects/tikv/observe/leader-memory.js';
import { createTrendWatch } from '../../../subjects/tikv/observe/trend-watch.js';
import type {
  ClientPort,
  PdMember,
  PdStore,
  Probe,
  Reach,
  Scheduling,
  Store,
  StoreState,
  TikvPicture,
  Witness,
} from '../../../subjects/tikv/picture.js';
import { PROFILES } from '../../../subjects/tikv/profiles.js';

/** The recordings of tests/fixtures/tikv-fault-rows: no fault, then one fault each. */
export const SCENARIOS = [
  'baseline',
  'node_kill',
  'node_kill_few_leaders',
  'node_kill_down',
  'process_pause',
  'network_partition',
  'oneway_drop_to_one_peer',
  'store_cannot_reach_pd_leader',
  'packet_loss_30',
  'latency_100ms',
  'latency_350ms',
  'bandwidth_cap',
  'cpu_throttle',
  'disk_nearly_full',
  'grpc_pause',
  'graceful_restart',
  'leader_schedule_limit_0',
  'leader_concentration',
  'leader_concentration_2',
  'leader_concentration_grant',
  'store_offline_by_mistake',
  'store_join',
  'pd_follower_kill',
  'pd_leader_kill',
  'two_pds_killed',
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** One second of a recording. */
export interface Moment {
  /** Seconds since the fault. */
  readonly s: number;
  readonly picture: TikvPicture;
}

type RecordedStore = [
  StoreState,
  number,
  number,
  number,
  number,
  number,
  { network_slow_score?: Record<string, number> }?,
];

interface Row {
  readonly s: number;
  readonly pd: string | readonly string[];
  readonly proc: string;
  readonly check: Readonly<Record<string, number>> | 'no answer';
  readonly regions: number | 'no answer';
  readonly stores: Readonly<Record<string, RecordedStore>> | 'no answer';
  readonly status_ms: readonly (number | string)[];
  readonly err?: Readonly<Record<string, number>>;
  readonly c: readonly number[];
  readonly c_store?: Readonly<Record<string, readonly number[]>>;
  readonly avail: Readonly<Record<string, number>>;
}

interface Recording {
  readonly fault_at_unix: number;
  readonly stores_by_id: Readonly<Record<string, string>>;
  /** Absent where there was no fault. */
  readonly healed_at_s?: number;
  readonly schedulers_seen?: readonly [number, readonly string[]];
  readonly capacity?: Readonly<Record<string, string>>;
  readonly unlisted_from_s?: Readonly<Record<string, number>>;
  readonly rows: readonly (Partial<Row> & { readonly s: number })[];
}

const PDS = ['pd0', 'pd1', 'pd2'];
/** Their order in `proc` and `status_ms`. */
const STORES = ['tikv0', 'tikv1', 'tikv2', 'tikv3'];
const LONG_AGO_S = 3_600;
const NEVER_S = 1_000_000;

export interface Replay {
  readonly moments: readonly Moment[];
  /** When the fault was taken back; the end of the recording where there was none. */
  readonly healedAtS: number;
}

/** A recording as the pictures that Medic would have had, one per second. What was not recorded is a gap in them. */
export function readRecording(scenario: Scenario): Replay {
  const file = new URL(`../../fixtures/tikv-fault-rows/${scenario}.json`, import.meta.url);
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  const moments = developed(recording);
  return { moments, healedAtS: recording.healed_at_s ?? moments.at(-1)?.s ?? 0 };
}

function developed(recording: Recording): Moment[] {
  const { rows, fault_at_unix, stores_by_id } = recording;
  const leadershipOf = createLeaderWatch();
  const trendsOf = createTrendWatch(PROFILES.real.cluster.regionHeartbeatMs);
  const heartbeats = new Map<string, number>();
  const processes = new Map<string, Witness>();
  const listed = rows[0]?.stores ?? {};
  const inventory = STORES.filter((name) => Object.keys(listed).some((id) => stores_by_id[id] === name));
  let row = {} as Row;
  return rows.map((changes, index) => {
    const told = { err: {}, c_store: {}, ...changes };
    row = { ...row, ...told, stores: storesAt(recording, row, changes), avail: { ...row.avail, ...changes.avail } };
    const epoch = (fault_at_unix + row.s) * 1_000;
    const at = instant(epoch);
    trackHeartbeats(heartbeats, epoch, changes.stores);
    const around = [rows[index - 1]?.status_ms ?? [], rows[index + 1]?.status_ms ?? []];
    const scene: Scene = { row, epoch, at, names: stores_by_id, heartbeats, processes, recording, around };
    const pd = PDS.map((name) => pdMember(scene, name));
    const leadership = leadershipOf(membersAnswer(scene), pd);
    const stores = [...inventory, ...strangersIn(scene, inventory)].map((name) => storeOf(scene, name));
    return {
      s: row.s,
      picture: {
        at,
        profile: 'real',
        vitals: {
          pd,
          leadership,
          stores,
          regions: regionsOf(scene),
          probe: known(probeOf(row, stores_by_id), { at, source: 'probe' }),
          scheduling: schedulingOf(scene),
          trends: trendsOf({ at, leadership, stores }),
        },
        placement: gap('not asked for', { at, source: 'pd' }),
      },
    };
  });
}

interface Scene {
  readonly row: Row;
  readonly epoch: number;
  readonly at: Instant;
  readonly names: Readonly<Record<string, string>>;
  /** Epoch ms of the last heartbeat by store id. */
  readonly heartbeats: Map<string, number>;
  readonly processes: Map<string, Witness>;
  readonly recording: Recording;
  /** `status_ms` of the rows before and after. */
  readonly around: readonly Row['status_ms'][];
}

/** A tombstone leaves the list without a word in the rows. */
function storesAt({ unlisted_from_s = {} }: Recording, before: Row, now: Partial<Row> & { s: number }): Row['stores'] {
  const merged = mergedStores(before.stores, now.stores);
  if (merged === 'no answer') return merged;
  const stays = ([id]: readonly [string, RecordedStore]) => now.s < (unlisted_from_s[id] ?? Number.POSITIVE_INFINITY);
  return Object.fromEntries(Object.entries(merged).filter(stays));
}

/** Stores that only PD knows. */
function strangersIn({ row, names }: Scene, inventory: readonly string[]): string[] {
  const listed = row.stores === 'no answer' ? [] : Object.keys(row.stores);
  return listed.map((id) => names[id] ?? `store-${id}`).filter((name) => !inventory.includes(name));
}

function mergedStores(before: Row['stores'] | undefined, now: Row['stores'] | undefined): Row['stores'] {
  if (now === undefined) return before ?? 'no answer';
  if (now === 'no answer' || before === 'no answer' || before === undefined) return now;
  return { ...before, ...now };
}

const leaderIn = ({ pd }: Row): string | null =>
  (typeof pd === 'string' ? [pd] : pd).find((answer) => PDS.includes(answer)) ?? null;

function membersAnswer({ row, at }: Scene) {
  const seen = { at, source: 'pd GET /pd/api/v1/members' };
  const leader = leaderIn(row);
  if (leader === null) return gap(`no leader: ${[row.pd].flat().join('; ')}`, seen);
  return known(
    { members: PDS.map((name) => ({ name })), leader: { name: leader }, etcd_leader: { name: leader } },
    seen,
  );
}

const isDead = ({ pd }: Row, name: string): boolean => typeof pd !== 'string' && pd[PDS.indexOf(name)] === 'refused';

function pdMember(scene: Scene, name: string): PdMember {
  const { row, at } = scene;
  const seen = { at, source: name };
  const witness = processOf(scene, name, isDead(row, name) ? '-' : 'S');
  const healthy = PDS.filter((pd) => !isDead(row, pd)).length >= 2;
  const dead = isDead(row, name);
  return {
    name,
    clientUrl: `http://${name}:2379`,
    reach: known<Reach>(dead ? { kind: 'refused' } : { kind: 'answers', status: 200, ms: 3 }, seen),
    startedAt: witness.starts > 1 && !dead ? known(witness.startedAt, seen) : gap('not recorded', seen),
    quorum: dead ? gap('connection refused', seen) : known({ healthy, reason: healthy ? '' : 'RAFT NO LEADER' }, seen),
    witness: known(witness, seen),
  };
}

/** Process state letters as Linux shows them. */
function processOf({ at, epoch, processes }: Scene, name: string, letter: string): Witness {
  const before = processes.get(name) ?? fresh(instant(epoch - LONG_AGO_S * 1_000), 1);
  const now = nextProcess(before, letter, at);
  processes.set(name, now);
  return now;
}

function nextProcess(before: Witness, letter: string, at: Instant): Witness {
  if ('-Z'.includes(letter))
    return before.state === 'exited'
      ? before
      : { ...before, state: 'exited', pid: null, finishedAt: at, exitCode: 137, signal: 'SIGKILL' };
  if (before.state === 'exited' || letter === 'N') return fresh(at, before.starts + 1);
  return { ...before, state: letter === 'T' ? 'paused' : 'running' };
}

const fresh = (startedAt: Instant, starts: number): Witness => ({
  state: 'running',
  stoppedByRequest: false,
  pid: 1_000 + starts,
  startedAt,
  finishedAt: null,
  exitCode: null,
  signal: null,
  starts,
});

function storeOf(scene: Scene, name: string): Store {
  const { row, at } = scene;
  const index = STORES.indexOf(name);
  return {
    name,
    pd: pdStoreOf(scene, name),
    reach: reachOf(scene, index),
    clientPort: clientPortOf(scene, name),
    witness:
      index < 0
        ? gap(`${name} is not in the inventory`, { at, source: 'host' })
        : known(processOf(scene, name, letterOf(row, index)), { at, source: 'host' }),
  };
}

/** A process whose port is not there although the host shows it is one that just starts: `N`. */
function letterOf({ proc, status_ms }: Row, index: number): string {
  const letter = proc[index] ?? 'S';
  return status_ms[index] === 'refused' && !'-ZT'.includes(letter) ? 'N' : letter;
}

/** As the load client met it in this very second; nobody else tried that port. */
function clientPortOf({ row, names, at }: Scene, name: string): Reading<ClientPort> {
  const seen = { at, source: `${name} client port` };
  const id = Object.keys(names).find((one) => names[one] === name) ?? '';
  if (row.err?.[`s${id} rpc Unavailable: connection refused`]) return known({ kind: 'refused' }, seen);
  const isServed = (row.c_store?.[id]?.[0] ?? 0) > 0;
  return isServed ? known({ kind: 'open' }, seen) : gap('no client tried it', seen);
}

/** PD was asked for its schedulers once, in the middle of some faults; they stay until the fault is taken back. */
function schedulingOf({ row, at, recording }: Scene): Scheduling {
  const seen = { at, source: 'pd GET /pd/api/v1/schedulers' };
  const none = gap('not recorded', seen);
  const { schedulers_seen: [fromS, names] = [Number.POSITIVE_INFINITY, []], healed_at_s = 0 } = recording;
  const isSeen = row.s >= fromS && row.s < healed_at_s;
  return { schedulers: isSeen ? known(names, seen) : none, paused: none, limits: none, held: none };
}

/** The recorder waited 0.9 s and was busy itself every third second; Medic waits 3 s: a lone late row tells it nothing. */
function reachOf({ row, at, around }: Scene, index: number): Reading<Reach> {
  const status = row.status_ms[index] ?? '-';
  const seen = { at, source: 'GET /status' };
  const isLone = around.every((before) => typeof (before[index] ?? 0) === 'number');
  if (status === 'timeout' && isLone) return gap('one late answer, by the recorder', seen);
  if (typeof status === 'number') return known({ kind: 'answers', status: 200, ms: status }, seen);
  if (status === 'refused') return known({ kind: 'refused' }, seen);
  return status === 'timeout' ? known({ kind: 'silent', afterMs: 900, connected: true }, seen) : gap('not asked', seen);
}

function pdStoreOf(scene: Scene, name: string): Reading<PdStore | null> {
  const { row, at, names } = scene;
  const seen = { at, source: 'pd GET /pd/api/v1/stores' };
  if (row.stores === 'no answer') return gap('no answer of any PD', seen);
  const { stores } = row;
  const id = Object.keys(stores).find((one) => (names[one] ?? `store-${one}`) === name) ?? '';
  const store = stores[id];
  if (!store) return known(null, seen);
  const [state, leaders, regions, pendingPeers, slowScore, , more] = store;
  const scores = Object.entries(more?.network_slow_score ?? {}).map(([about, score]) => [names[about] ?? about, score]);
  return known(
    {
      id,
      state,
      lastHeartbeat: heartbeatOf(scene, id),
      startedAt: instant(firstSeenAt(scene, id)),
      leaders,
      regions,
      leaderScore: leaders,
      regionScore: regions,
      pendingPeers,
      slowScore: slowScore || null,
      networkSlowScores: Object.fromEntries(scores),
      available: row.avail[id] === undefined ? '' : `${row.avail[id]}B`,
      capacity: scene.recording.capacity?.[id] ?? '',
    },
    seen,
  );
}

/** PD writes the age of a store that was never heard of as years. */
function heartbeatOf({ heartbeats, epoch }: Scene, id: string) {
  const last = heartbeats.get(id) ?? epoch;
  return epoch - last > NEVER_S * 1_000 ? null : instant(last);
}

/** A store that is listed from the first row on is old; one that appears later started then. */
function firstSeenAt({ recording: { rows, fault_at_unix }, epoch }: Scene, id: string): number {
  const lists = ({ stores }: Partial<Row>) => stores !== undefined && stores !== 'no answer' && id in stores;
  const first = rows.find(lists);
  return first && first !== rows[0] ? (fault_at_unix + first.s) * 1_000 : epoch - LONG_AGO_S * 1_000;
}

/** A row keeps silent about a store while its heartbeats come: an age that would reach 12 s has begun anew. */
function trackHeartbeats(heartbeats: Map<string, number>, epoch: number, listed: Row['stores'] | undefined): void {
  const words = listed === undefined || listed === 'no answer' ? {} : listed;
  for (const [id, [, , , , , age]] of Object.entries(words)) heartbeats.set(id, epoch - age * 1_000);
  if (listed === 'no answer') return;
  for (const [id, last] of heartbeats) if (!(id in words) && epoch - last >= 12_000) heartbeats.set(id, epoch - 5_000);
}

function regionsOf({ row, at }: Scene): TikvPicture['vitals']['regions'] {
  const seen = { at, source: 'pd' };
  const none = gap('no answer of any PD', seen);
  if (row.regions === 'no answer' || row.check === 'no answer' || row.stores === 'no answer')
    return { total: none, withLeader: none, pendingPeer: none, downPeer: none, missingPeer: none };
  const { check, stores } = row;
  const count = (name: string) => known(check[name] ?? 0, seen);
  return {
    total: known(row.regions, seen),
    withLeader: known(
      Object.values(stores).reduce((sum, [, leaders]) => sum + leaders, 0),
      seen,
    ),
    pendingPeer: count('pending-peer'),
    downPeer: count('down-peer'),
    missingPeer: count('miss-peer'),
  };
}

/** Hints to another leader are everyday life; refusals, deadlines and given-up operations are not. */
function probeOf({ err = {}, c, c_store = {} }: Row, names: Recording['stores_by_id']): Probe {
  const kinds = Object.entries(err).filter(([kind]) => /refused|Deadline|Unavailable|GAVE UP/.test(kind));
  const failed = Math.min(
    24,
    kinds.reduce((sum, [, count]) => sum + count, 0),
  );
  const errors = Object.fromEntries(kinds.map(([kind, count]) => [kind, count]));
  const byStore = Object.fromEntries(Object.entries(c_store).map(([id, [, p50 = 0]]) => [names[id] ?? id, p50]));
  return { regionsOk: 24 - failed, regionsFailed: failed, errors, p50Ms: c[1] ?? null, p99Ms: c[2] ?? null, byStore };
}
