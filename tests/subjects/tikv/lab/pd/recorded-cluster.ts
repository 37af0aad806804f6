import type { Answer } from '../../../../../subjects/tikv/lab/pd/answers/answer.js';
import { followerConfig, type LeaderSections } from '../../../../../subjects/tikv/lab/pd/answers/config.js';
import { storeChecks } from '../../../../../subjects/tikv/lab/pd/changes/store-state.js';
import { dialError, plan, REDIRECT_FAILED } from '../../../../../subjects/tikv/lab/pd/forwarding.js';
import { type Member, membersOf, remaining } from '../../../../../subjects/tikv/lab/pd/members.js';
import type { Peer, PeerRole, RegionReport, StoreMeta, StoreStats } from '../../../../../subjects/tikv/lab/pd/model.js';
import { Pauses } from '../../../../../subjects/tikv/lab/pd/pauses.js';
import { RegionCache, reportedShare } from '../../../../../subjects/tikv/lab/pd/regions.js';
import { isChange, type Outcome } from '../../../../../subjects/tikv/lab/pd/route.js';
import { answerHere } from '../../../../../subjects/tikv/lab/pd/routes.js';
import type { OperatorOrder } from '../../../../../subjects/tikv/lab/pd/schedule/hand.js';
import { NO_SCHEDULE } from '../../../../../subjects/tikv/lab/pd/schedule/schedule-view.js';
import { Scheduling } from '../../../../../subjects/tikv/lab/pd/schedule/scheduling.js';
import { SlowStoreWatch } from '../../../../../subjects/tikv/lab/pd/schedule/slow-store-watch.js';
import { type Scene, Survey } from '../../../../../subjects/tikv/lab/pd/schedule/survey.js';
import { scheduleTimes } from '../../../../../subjects/tikv/lab/pd/schedule/times.js';
import { apply, EMPTY_STATE, type PdState } from '../../../../../subjects/tikv/lab/pd/state.js';
import { StoreHeartbeats } from '../../../../../subjects/tikv/lab/pd/stores.js';
import type { PdView } from '../../../../../subjects/tikv/lab/pd/view.js';
import { type ClusterTimes, PROFILES } from '../../../../../subjects/tikv/profiles.js';
import { parseExact, type Recording, recordingsOf, type Scenario } from './recordings.js';

interface RecordedPeer {
  id: number;
  store_id: number;
  role_name: PeerRole;
}

interface RecordedRegion {
  id: number;
  start_key: string;
  end_key: string;
  epoch: { conf_ver: number; version: number };
  peers: RecordedPeer[];
  leader: RecordedPeer;
  down_peers?: { peer: RecordedPeer; down_seconds: number }[];
  pending_peers?: RecordedPeer[];
  written_bytes: number;
  read_bytes: number;
  written_keys: number;
  read_keys: number;
  approximate_size: number;
  approximate_keys: number;
}

interface RecordedStore {
  store: Record<string, unknown> & { id: number; last_heartbeat?: bigint; address: string; start_timestamp: number };
  status: Record<string, unknown> & { capacity: string; slow_score?: number };
}

/** The members of the recorded cluster; their ids follow from the addresses, as etcd computes them. */
const MEMBERS = membersOf([
  { name: 'pd0', peerUrl: 'http://127.0.0.1:2380', clientUrl: 'http://127.0.0.1:2379' },
  { name: 'pd1', peerUrl: 'http://127.0.0.1:22380', clientUrl: 'http://127.0.0.1:22379' },
  { name: 'pd2', peerUrl: 'http://127.0.0.1:32380', clientUrl: 'http://127.0.0.1:32379' },
]);

/** Who leads, who runs, at a moment of a scenario. */
export interface Moment {
  readonly leader: string;
  readonly running: readonly string[];
  /** Start of the asked member's process, unix seconds. */
  readonly startedAt: number;
  /** `0.0.0` until the leader that saw the cluster's birth is gone. */
  readonly knownClusterVersion: string;
}

/**
 * The cluster of a scenario as the stand-in would hold it: fed with what the recorded stores and regions reported, asked
 * at the recorded moments.
 */
export class RecordedCluster {
  readonly regions = new RegionCache();
  #state: PdState;
  readonly #pauses = new Pauses();
  readonly #heard = new Map<number, { atNs: bigint; stats: StoreStats }>();
  readonly #slowStore = new SlowStoreWatch();
  /** Made when it is first needed, in the moment that is being replayed. It is told of regions, and never asked to act. */
  #scheduling: Scheduling | null = null;
  #nowNs = 0n;
  #lastPeerId = 116;

  constructor(
    readonly scenario: Scenario,
    readonly times: ClusterTimes,
  ) {
    this.#state = bareState(scenario);
  }

  /** Lets the stores join and the regions report as `/stores` and `/regions` of `source` show them. */
  join(source: {
    readonly stores: Recording;
    readonly regions: Recording;
    readonly without?: readonly number[] | undefined;
  }): void {
    const { without = [] } = source;
    const stores = storesIn(source.stores.response.body)
      .map(metaOf)
      .filter(({ id }) => !without.includes(id));
    for (const [index, store] of stores.entries()) {
      if (index === 0) this.#bootstrap(store);
      this.#state = apply(this.#state, { kind: 'put-store', store }).state;
    }
    this.feed([source.stores, source.regions]);
  }

  /** Takes the heartbeats over that the answers of these recordings show. */
  feed(recordings: readonly Recording[]): void {
    for (const { response } of recordings) {
      for (const region of regionsIn(response.body)) this.#hear(reportOf(region));
      for (const { store, status } of storesIn(response.body)) {
        if (this.#state.stores[store.id] === undefined) continue;
        if (status.capacity === '0B') this.#heard.delete(store.id);
        else this.#heard.set(store.id, { atNs: BigInt(store.last_heartbeat ?? 0), stats: statsOf(status) });
        const lastHeartbeatNs = String(store.last_heartbeat ?? 0);
        this.#state = apply(this.#state, { kind: 'store-heard', storeId: store.id, lastHeartbeatNs }).state;
      }
    }
  }

  /** The store's last replica was moved away, and PD made its round over the stores. */
  emptied(storeId: number): void {
    for (const report of this.regions.onStore(storeId)) {
      const { region } = report;
      const peers = region.peers.filter((peer) => peer.storeId !== storeId);
      const epoch = { ...region.epoch, confVer: region.epoch.confVer + 1 };
      this.regions.accept({ ...report, region: { ...region, peers, epoch }, leader: peers[0] ?? null });
    }
    this.round();
  }

  /** A region is led from another store, as the answers of the scenario say without showing it. */
  lead(regionId: number, storeId: number): void {
    const report = this.regions.get(regionId);
    const leader = report?.region.peers.find((peer) => peer.storeId === storeId);
    if (report !== undefined && leader !== undefined) this.#hear({ ...report, leader });
  }

  /** A region has a peer more, or one in another role. */
  gain(regionId: number, { peer, data }: { readonly peer: Peer; readonly data: 'whole' | 'pending' }): void {
    this.#changePeers(regionId, (report) => ({
      ...report,
      region: withPeers(report.region, [...report.region.peers.filter(({ id }) => id !== peer.id), peer]),
      pendingPeers: data === 'pending' ? [peer] : [],
    }));
  }

  /** A region has no peer any more on that store. */
  lose(regionId: number, storeId: number): void {
    this.#changePeers(regionId, (report) => ({
      ...report,
      region: withPeers(
        report.region,
        report.region.peers.filter((peer) => peer.storeId !== storeId),
      ),
    }));
  }

  #changePeers(regionId: number, change: (report: RegionReport) => RegionReport): void {
    const report = this.regions.get(regionId);
    if (report !== undefined) this.#hear(change(report));
  }

  /** The slow store's scheduler looks, when a recording was made. */
  watchSlowStore({ recordedAt }: Recording): void {
    this.#nowNs = momentNs(recordedAt);
    const command = this.#slowStore.look(new Survey(this.#scene()), scheduleTimes(this.times));
    if (command !== null) this.#state = apply(this.#state, command).state;
  }

  /** PD's round over the stores. */
  round(): void {
    for (const command of storeChecks({ state: this.#state, regions: this.regions })) {
      this.#state = apply(this.#state, command).state;
    }
  }

  /** Lets every store be heard of right before a recording was made. */
  beat({ recordedAt }: Recording): void {
    this.#nowNs = momentNs(recordedAt);
    const atNs = BigInt(Date.parse(recordedAt)) * 1_000_000n;
    for (const [id, { stats }] of this.#heard) this.#heard.set(id, { atNs, stats });
  }

  /** The answer of the member that was asked, forwarding included. */
  ask(recording: Recording, moment: Moment): Answer {
    const url = new URL(recording.request.path, 'http://pd');
    const headers = Object.entries(recording.request.headers ?? {}).map(([key, value]) => [key.toLowerCase(), value]);
    const request = {
      method: recording.request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: Object.fromEntries(headers),
      body: bodyText(recording.request.body),
    };
    const nowNs = momentNs(recording.recordedAt);
    this.#nowNs = nowNs;
    const view = this.#view(recording.request.member, { moment, nowNs });
    const leaderView = this.#view(moment.leader, { moment, nowNs });
    const leaderRuns = moment.running.includes(moment.leader);
    const planned = plan(view, 'started', request);
    switch (planned.kind) {
      case 'answer':
        return planned.answer;
      case 'serve':
        return this.#done(answerHere(view, planned.found, request), nowNs);
      case 'forward': {
        if (!leaderRuns) return REDIRECT_FAILED;
        const again = plan(leaderView, 'started', { ...request, headers: { 'pd-redirector': view.self.name } });
        if (again.kind !== 'serve') throw new Error(`the leader would not serve ${request.path}: ${again.kind}`);
        return this.#done(answerHere(leaderView, again.found, request), nowNs);
      }
      case 'ask-config':
        return leaderRuns ? followerConfig(view, this.#sections(leaderView)) : dialError(planned.from);
      default:
        throw new Error(`${recording.name}: no answer in the plan ${planned.kind}`);
    }
  }

  #sections(leaderView: PdView): LeaderSections {
    const ask = { method: 'GET', path: '/pd/api/v1/config', query: new URLSearchParams(), headers: {}, body: '' };
    const planned = plan(leaderView, 'started', ask);
    if (planned.kind !== 'serve') throw new Error('a leader serves its config');
    const answer = this.#done(answerHere(leaderView, planned.found, ask), leaderView.nowNs);
    return parseExact(answer.body) as LeaderSections;
  }

  /** Carries a change out as the leader of a healthy group would. */
  #done(outcome: Outcome, nowNs: bigint): Answer {
    if (!isChange(outcome)) return outcome;
    for (const command of outcome.commands) this.#state = apply(this.#state, command).state;
    for (const pause of outcome.pauses ?? []) this.#pauses.take(pause, nowNs);
    for (const id of outcome.forgottenRegions ?? []) this.regions.forget(id);
    const refused = (outcome.operators ?? []).some((order) => !this.#operate(order));
    return refused ? (outcome.refusedAnswer ?? outcome.answer) : outcome.answer;
  }

  #operate(order: OperatorOrder): boolean {
    if (order.kind === 'cancel') return this.#schedule().cancel(order.regionId);
    return this.#schedule().byHand(order.wish) === 'added';
  }

  /** Takes a region's heartbeat over. Only regions with an operator are made known to scheduling: the rest of it rests. */
  #hear(report: RegionReport): void {
    const { accepted } = this.regions.accept(report);
    const operators = this.#scheduling?.operators ?? [];
    if (accepted && operators.some(({ regionId }) => regionId === report.region.id)) this.#scheduling?.hear(report);
  }

  #schedule(): Scheduling {
    this.#scheduling ??= new Scheduling({
      scene: () => this.#scene(),
      peerId: () => ++this.#lastPeerId,
      random: () => 0,
      send: () => undefined,
      suggest: () => undefined,
      onChange: () => undefined,
    });
    return this.#scheduling;
  }

  #scene(): Scene {
    return {
      nowNs: this.#nowNs,
      times: this.times,
      state: this.#state,
      heartbeats: this.#heartbeats(),
      regions: this.regions,
      pauses: this.#pauses,
    };
  }

  #heartbeats(): StoreHeartbeats {
    const heartbeats = new StoreHeartbeats();
    for (const [id, { atNs, stats }] of this.#heard) heartbeats.hear(id, stats, atNs);
    return heartbeats;
  }

  #bootstrap(store: StoreMeta): void {
    const region = { id: 2, startKey: '', endKey: '', epoch: { confVer: 1, version: 1 }, peers: [] };
    const atNs = String(store.startTimestamp * 1_000_000_000);
    this.#state = apply(this.#state, { kind: 'bootstrap', store, region, atNs }).state;
  }

  #view(name: string, { moment, nowNs }: { moment: Moment; nowNs: bigint }): PdView {
    const member = (wanted: string): Member => MEMBERS.find((each) => each.name === wanted)!;
    const { operators, records } = this.#scheduling ?? NO_SCHEDULE;
    return {
      nowNs,
      times: this.times,
      self: member(name),
      members: remaining(MEMBERS, this.#state.removedMembers),
      raft: {
        isLeader: name === moment.leader,
        leader: member(moment.leader),
        term: 2,
        commitIndex: 185,
        appliedIndex: 185,
        leaderChanges: 1,
      },
      leader: member(moment.leader),
      isLeader: name === moment.leader,
      state: this.#state,
      knownClusterVersion: moment.knownClusterVersion,
      heartbeats: this.#heartbeats(),
      regions: this.regions,
      pauses: this.#pauses,
      schedule: { prepared: reportedShare(this.regions) >= 0.8, operators, records },
      tsoMs: 1_796_040_181_825,
      regionHeartbeats: new Map(
        Object.keys(this.#state.stores).map((id) => [Number(id), { received: 78, accepted: 78, bound: 2 }]),
      ),
      process: { startedAt: moment.startedAt, cpuSeconds: 9, residentBytes: 1e8, dataDir: `/data/${name}` },
      reachable: new Set(moment.running),
    };
  }
}

/** The end of the second of which a recording is. */
function momentNs(recordedAt: string): bigint {
  return BigInt(Date.parse(recordedAt)) * 1_000_000n + 999_000_000n;
}

/** The recording of this name. */
export function recording(name: string): Recording {
  const found = recordingsOf(name.split('/')[0] as Scenario).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no recording ${name}`);
  return found;
}

/** The times of the recorded cluster: PD's defaults, the played stores' region heartbeat, and what the scenario set. */
export function timesOf(scenario: Scenario): ClusterTimes {
  const times = { ...PROFILES.real.cluster, regionHeartbeatMs: 10_000 };
  return ['store-silent', 'stores-two-of-three-silent'].includes(scenario) ? { ...times, storeDownMs: 60_000 } : times;
}

function withPeers(region: RegionReport['region'], peers: readonly Peer[]): RegionReport['region'] {
  return { ...region, peers, epoch: { ...region.epoch, confVer: region.epoch.confVer + 1 } };
}

function bareState(scenario: Scenario): PdState {
  const clusterId = ['pd-leader-killed', 'pd-member-removed', 'pd-members'].includes(scenario)
    ? '7713940129464209698'
    : '7713933192204896888';
  const named = apply(EMPTY_STATE, { kind: 'name-cluster', clusterId }).state;
  return apply(named, { kind: 'reserve-ids', end: 1000 }).state;
}

/** What the store must have said so that PD shows this. */
function statsOf(status: RecordedStore['status']): StoreStats {
  return {
    capacity: bytesOf(status.capacity),
    available: bytesOf(String(status.available)),
    usedSize: bytesOf(String(status.used_size)),
    slowScore: Number(status.slow_score ?? 0),
    sendingSnapCount: Number(status.sending_snap_count ?? 0),
    receivingSnapCount: Number(status.receiving_snap_count ?? 0),
    networkSlowScores: (status.network_slow_score ?? {}) as Record<string, number>,
    isBusy: status.is_busy === true,
    isStopping: false,
  };
}

function bytesOf(size: string): number {
  return size.endsWith('GiB') ? Number(size.slice(0, -3)) * 2 ** 30 : 0;
}

function metaOf({ store }: RecordedStore): StoreMeta {
  return {
    id: store.id,
    address: store.address,
    state: 'Up',
    labels: store.labels as StoreMeta['labels'],
    version: String(store.version),
    peerAddress: String(store.peer_address),
    statusAddress: String(store.status_address),
    gitHash: String(store.git_hash),
    startTimestamp: store.start_timestamp,
    deployPath: String(store.deploy_path),
    lastHeartbeatNs: String(store.last_heartbeat ?? 0),
    nodeState: store.node_state === undefined ? 'Preparing' : 'Serving',
  };
}

function reportOf(region: RecordedRegion): RegionReport {
  return {
    region: {
      id: region.id,
      startKey: region.start_key,
      endKey: region.end_key,
      epoch: { confVer: region.epoch.conf_ver, version: region.epoch.version },
      peers: region.peers.map(peerOf),
    },
    leader: peerOf(region.leader),
    term: 6,
    downPeers: (region.down_peers ?? []).map(({ peer, down_seconds }) => ({
      peer: peerOf(peer),
      downSeconds: down_seconds,
    })),
    pendingPeers: (region.pending_peers ?? []).map(peerOf),
    writtenBytes: region.written_bytes,
    readBytes: region.read_bytes,
    writtenKeys: region.written_keys,
    readKeys: region.read_keys,
    approximateSize: region.approximate_size,
    approximateKeys: region.approximate_keys,
  };
}

function peerOf({ id, store_id, role_name }: RecordedPeer): Peer {
  return { id, storeId: store_id, role: role_name };
}

function storesIn(body: unknown): RecordedStore[] {
  if (!isObject(body)) return [];
  if (Array.isArray(body.stores)) return body.stores.filter((item) => isObject(item) && isObject(item.store));
  return isObject(body.store) && isObject(body.status) ? [body as unknown as RecordedStore] : [];
}

function regionsIn(body: unknown): RecordedRegion[] {
  if (!isObject(body)) return [];
  if (Array.isArray(body.regions)) return body.regions.filter((item) => isObject(item) && isObject(item.epoch));
  return isObject(body.epoch) ? [body as unknown as RecordedRegion] : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Recorded bodies are the text that was sent where it is no JSON, and the value where it is; it was sent with blanks. */
function bodyText(body: unknown): string {
  if (body === undefined || body === null) return '';
  return typeof body === 'string' ? body : JSON.stringify(body).replaceAll('":', '": ').replaceAll(',"', ', "');
}
