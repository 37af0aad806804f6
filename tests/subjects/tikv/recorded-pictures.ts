import { readFileSync } from 'node:fs';
import { type Instant, instant } from '../../../src/domain/ids.js';
import { gap, known, type Reading } from '../../../src/domain/reading.js';
import { createLeaderWatch } from '../../../subjects/tikv/observe/leader-memory.js';
import type {
  PdMember,
  PdStore,
  Probe,
  Reach,
  Store,
  StoreState,
  TikvPicture,
  Witness,
} from '../../../subjects/tikv/picture.js';

/** The recorded faults of tests/fixtures/tikv-fault-rows. */
export const SCENARIOS = [
  'node_kill',
  'process_pause',
  'network_partition',
  'store_cannot_reach_pd_leader',
  'pd_leader_kill',
  'two_pds_killed',
  'grpc_pause',
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
}

interface Recording {
  readonly fault_at_unix: number;
  readonly stores_by_id: Readonly<Record<string, string>>;
  readonly healed_at_s: number;
  readonly rows: readonly (Partial<Row> & { readonly s: number })[];
}

const PDS = ['pd0', 'pd1', 'pd2'];
/** Their order in `proc` and `status_ms`. */
const STORES = ['tikv0', 'tikv1', 'tikv2', 'tikv3'];
const LONG_AGO_S = 3_600;

/** A recording as the pictures that Medic would have had, one per second, and when the fault was taken back. */
export function readRecording(scenario: Scenario): { readonly moments: readonly Moment[]; readonly healedAtS: number } {
  const file = new URL(`../../fixtures/tikv-fault-rows/${scenario}.json`, import.meta.url);
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  return { moments: developed(recording), healedAtS: recording.healed_at_s };
}

function developed({ rows, fault_at_unix, stores_by_id }: Recording): Moment[] {
  const leadershipOf = createLeaderWatch();
  const heartbeats = new Map<string, number>();
  const processes = new Map<string, Witness>();
  const listed = rows[0]?.stores ?? {};
  const inventory = STORES.filter((name) => Object.keys(listed).some((id) => stores_by_id[id] === name));
  let row = {} as Row;
  return rows.map((changes) => {
    row = { ...row, err: {}, ...changes, stores: mergedStores(row.stores, changes.stores) };
    const epoch = (fault_at_unix + row.s) * 1_000;
    const at = instant(epoch);
    trackHeartbeats(heartbeats, epoch, changes.stores);
    const scene: Scene = { row, epoch, at, names: stores_by_id, heartbeats, processes };
    const pd = PDS.map((name) => pdMember(scene, name));
    return {
      s: row.s,
      picture: {
        at,
        profile: 'real',
        vitals: {
          pd,
          leadership: leadershipOf(membersAnswer(scene), pd),
          stores: inventory.map((name) => storeOf(scene, name)),
          regions: regionsOf(scene),
          probe: known(probeOf(row), { at, source: 'probe' }),
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
    startedAt: dead ? gap('connection refused', seen) : known(witness.startedAt, seen),
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
  if (before.state === 'exited') return fresh(at, before.starts + 1);
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
    reach: reachOf(row.status_ms[index] ?? '-', at, name),
    witness: known(processOf(scene, name, row.proc[index] ?? 'S'), { at, source: 'host' }),
  };
}

function reachOf(status: number | string, at: Instant, name: string): Reading<Reach> {
  const seen = { at, source: `${name} GET /status` };
  if (typeof status === 'number') return known({ kind: 'answers', status: 200, ms: status }, seen);
  if (status === 'refused') return known({ kind: 'refused' }, seen);
  return status === 'timeout' ? known({ kind: 'silent', afterMs: 900, connected: true }, seen) : gap('not asked', seen);
}

function pdStoreOf(scene: Scene, name: string): Reading<PdStore | null> {
  const { row, at, names } = scene;
  const seen = { at, source: 'pd GET /pd/api/v1/stores' };
  const id = Object.keys(names).find((one) => names[one] === name) ?? '';
  if (row.stores === 'no answer') return gap('no answer of any PD', seen);
  const store = row.stores[id];
  if (!store) return known(null, seen);
  const [state, leaders, regions, pendingPeers, slowScore, , more] = store;
  const scores = Object.entries(more?.network_slow_score ?? {}).map(([about, score]) => [names[about] ?? about, score]);
  return known(
    {
      id,
      state,
      lastHeartbeat: instant(scene.heartbeats.get(id) ?? scene.epoch),
      startedAt: instant(scene.epoch - LONG_AGO_S * 1_000),
      leaders,
      regions,
      leaderScore: leaders,
      regionScore: regions,
      pendingPeers,
      slowScore: slowScore || null,
      networkSlowScores: Object.fromEntries(scores),
      available: '9GiB',
      capacity: '10GiB',
    },
    seen,
  );
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
function probeOf({ err = {} }: Row): Probe {
  const kinds = Object.entries(err).filter(([kind]) => /refused|Deadline|Unavailable|GAVE UP/.test(kind));
  const failed = Math.min(
    24,
    kinds.reduce((sum, [, count]) => sum + count, 0),
  );
  const errors = Object.fromEntries(kinds.map(([kind, count]) => [kind, count]));
  return { regionsOk: 24 - failed, regionsFailed: failed, errors, p50Ms: 5, p99Ms: 17 };
}
