import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterTimes } from '../../profiles.js';
import type { RaftStorage } from '../raft/storage.js';
import type { RaftRestored } from '../raft/types.js';
import type { Stage } from './forwarding.js';
import { Group, ProposalLost } from './group.js';
import { startLeaderRounds } from './leader-rounds.js';
import type { Log } from './log.js';
import { viewOf } from './member-view.js';
import { type Member, remaining } from './members.js';
import type { RegionReport, StoreStats } from './model.js';
import type { PdNode, TransferOutcome } from './node.js';
import type { PauseOrder } from './pauses.js';
import type { PeerMessage } from './peer-messages.js';
import { openPeers, type Peers } from './peers.js';
import { createPings } from './pings.js';
import { wallNs } from './process-view.js';
import { RaftWatch } from './raft-watch.js';
import { Reads } from './reads.js';
import { RegionBook } from './region-book.js';
import type { Acceptance } from './regions.js';
import { Reign } from './reign.js';
import type { OperatorOrder } from './schedule/hand.js';
import type { OrderStream } from './schedule/order.js';
import { scheduleTimes } from './schedule/times.js';
import type { Applied, Command } from './state.js';
import type { Tenure } from './tenure.js';
import { activeMembers, transferLeadership } from './transfer.js';
import type { Timestamp } from './tso.js';
import type { PdView } from './view.js';

export interface MemberOptions {
  readonly self: Member;
  readonly members: readonly Member[];
  readonly times: ClusterTimes;
  readonly dataDir: string;
  readonly storage: RaftStorage;
  readonly restored: RaftRestored;
  readonly log: Log;
  /** The disk failed: nothing that this process says can be relied on. */
  readonly onFailure: (error: unknown) => void;
  /** This member was taken out of the group, and can do nothing any more. */
  readonly onRemoved: () => void;
}

/** PD renews its lease three times within its life (PD: `lease.KeepAlive`). */
const RENEWALS_PER_LEASE = 3;
/** etcd gives a linearizable read two lease times here before it fails (PD: 10 s). */
const LEASES_PER_REQUEST = 2;

const nowMs = () => performance.now();

/** Starts a member: joins the others, takes part in elections, and serves as PD's leader when it is one. */
export async function openMember(options: MemberOptions): Promise<PdMember> {
  const member = new PdMember(options);
  await member.join();
  return member;
}

/** One PD, without its HTTP and gRPC sides. Made by {@link openMember}. */
export class PdMember implements PdNode {
  readonly ping: () => Promise<ReadonlySet<string>>;
  readonly #options: MemberOptions;
  readonly #regions: RegionBook;
  readonly #group: Group;
  readonly #reads: Reads;
  readonly #watch: RaftWatch;
  readonly #reign: Reign;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Told to Raft once per tick: it answers with a new probe, which would be lost at once again. */
  readonly #unreachable = new Set<string>();
  #peers: Peers | null = null;

  constructor(options: MemberOptions) {
    const { self, members, times } = options;
    this.#options = options;
    this.#watch = new RaftWatch(options);
    const founders = members.map(({ name }) => name).filter((name) => name !== self.name);
    const others = () => this.#members.map(({ name }) => name).filter((name) => name !== self.name);
    const send: Peers['send'] = (to, body) => this.#peers?.send(to, body);
    this.#group = new Group({
      self: self.name,
      voters: members.map(({ name }) => name),
      tickMs: times.pdTickMs,
      electionMs: times.pdElectionMs,
      proposalMs: this.#requestMs,
      storage: options.storage,
      restored: options.restored,
      random: Math.random,
      nowMs,
      send: (message) => send(message.to, { kind: 'raft', message }),
      onChange: () => this.#think(),
      onFailure: options.onFailure,
    });
    this.#reads = new Reads({ raft: this.#group.raft, others, send, nowMs });
    this.#regions = new RegionBook({ dir: options.dataDir, others: founders, send });
    this.#reign = new Reign({
      self: self.name,
      times,
      group: this.#group,
      send,
      log: options.log,
      scene: () => ({ nowNs: wallNs(), times, regions: this.#regions.cache }),
      onBegin: () => {
        for (const name of others()) this.#regions.fill(name);
      },
      onEnd: () => this.#regions.hush(),
    });
    this.ping = createPings({ self, members: () => this.#members, withinMs: times.pdRedirectWaitMs });
  }

  get stage(): Stage {
    return this.#watch.stage;
  }

  /** Resolves once a Raft leader was heard of; until then etcd answers nobody. */
  get joined(): Promise<void> {
    return this.#watch.joined;
  }

  /** @throws if the peer address is taken */
  async join(): Promise<void> {
    await this.#regions.load();
    const { self, members, times } = this.#options;
    this.#peers = await openPeers({
      self,
      members,
      retryMs: times.pdTickMs,
      onMessage: (message) => this.#hear(message),
      onUp: (name) => {
        if (this.#reign.tenure !== null) this.#regions.fill(name);
      },
      onUnreachable: (name) => this.#unreachable.add(name),
    });
    this.#every(times.pdTickMs, () => this.#tick());
    this.#every(times.pdLeaseMs / RENEWALS_PER_LEASE, () => this.#renew());
    this.#every(scheduleTimes(times).roundMs, () => this.#reign.tenure?.scheduling.tick());
    this.#startRounds();
  }

  view(reachable: ReadonlySet<string> = new Set()): PdView {
    return viewOf({
      ...this.#options,
      members: this.#members,
      group: this.#group,
      watch: this.#watch,
      reign: this.#reign,
      regions: this.#regions.cache,
      reachable,
    });
  }

  async propose(command: Command): Promise<Applied> {
    const applied = await (command.kind === 'remove-member'
      ? this.#group.removeMember(command)
      : this.#group.propose(command));
    if (applied === 'done' && command.kind === 'bootstrap') this.#regions.begin(command.region);
    return applied;
  }

  pause(order: PauseOrder): void {
    this.#leading().pauses.take(order, wallNs());
  }

  forgetRegion(id: number): void {
    this.#regions.cache.forget(id);
  }

  async allocateId(): Promise<number> {
    return this.#leading().ids.allocate();
  }

  async timestamp(count: number): Promise<Timestamp> {
    return this.#leading().timestamps.next(count);
  }

  hearStore(storeId: number, stats: StoreStats): void {
    const { heartbeats } = this.#leading();
    const atNs = wallNs();
    heartbeats.hear(storeId, stats, atNs);
    if (!heartbeats.takeSaveTurn(storeId, atNs, this.#options.times.storeHeartbeatMs)) return;
    this.#suggest({ kind: 'store-heard', storeId, lastHeartbeatNs: atNs.toString() });
  }

  hearRegion(report: RegionReport): Acceptance {
    const tenure = this.#leading();
    const storeId = report.leader?.storeId ?? 0;
    tenure.count(storeId, 'received');
    const acceptance = this.#regions.hear(report);
    if (!acceptance.accepted) return acceptance;
    tenure.count(storeId, 'accepted');
    const known = this.#regions.cache.get(report.region.id);
    if (known !== undefined) tenure.scheduling.hear(known);
    return acceptance;
  }

  async operate(order: OperatorOrder): Promise<'done' | 'refused'> {
    const { scheduling, ids } = this.#leading();
    if (order.kind === 'cancel') return scheduling.cancel(order.regionId) ? 'done' : 'refused';
    await ids.reserve();
    return scheduling.byHand(order.wish) === 'added' ? 'done' : 'refused';
  }

  bindStream(storeId: number, stream: OrderStream): void {
    const { tenure } = this.#reign;
    tenure?.count(storeId, 'bound');
    tenure?.streams.set(storeId, stream);
  }

  isBound(storeId: number): boolean {
    return this.#reign.tenure?.streams.has(storeId) ?? false;
  }

  read(): Promise<boolean> {
    return this.#reads.read(this.#requestMs);
  }

  transfer(to: string | null): Promise<TransferOutcome> {
    return transferLeadership({ group: this.#group, times: this.#options.times, to });
  }

  /** Hands the Raft leadership over before an orderly end, if this member has it and somebody takes it within two ticks. */
  async handOver(): Promise<void> {
    if (this.#group.raft.role !== 'leader') return;
    await Promise.race([this.transfer(null), sleep(2 * this.#options.times.pdTickMs)]);
  }

  /** Closes links and files. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#group.stop();
    this.#regions.hush();
    await this.#peers?.close();
    await this.#regions.close();
    await this.#options.storage.close();
  }

  #startRounds(): void {
    startLeaderRounds({
      self: this.#options.self.name,
      times: this.#options.times,
      regions: this.#regions.cache,
      state: () => (this.#reign.tenure === null ? null : this.#group.state),
      others: () => activeMembers(this.#group),
      suggest: (command) => this.#suggest(command),
      transfer: (to) => void this.transfer(to),
      every: (ms, run) => this.#every(ms, run),
    });
  }

  /** The group as this member knows it. */
  get #members(): readonly Member[] {
    return remaining(this.#options.members, this.#group.state.removedMembers);
  }

  get #requestMs(): number {
    return LEASES_PER_REQUEST * this.#options.times.pdLeaseMs;
  }

  #every(ms: number, run: () => void): void {
    this.#timers.push(setInterval(run, ms));
  }

  #leading(): Tenure {
    const { tenure } = this.#reign;
    if (tenure === null) throw new ProposalLost('not leader');
    return tenure;
  }

  #hear(message: PeerMessage): void {
    this.#group.tick();
    if (this.#group.state.removedMembers.includes(message.from))
      return this.#peers?.send(message.from, { kind: 'removed' });
    if (message.kind === 'removed') this.#options.onRemoved();
    else if (message.kind === 'raft') this.#group.step(message.message);
    else if (message.kind === 'leave-lead') this.#suggest({ kind: 'leave-lead', key: message.key });
    else if (message.kind === 'regions') this.#copyRegions(message.reports);
    else this.#reads.hear(message);
  }

  #copyRegions(reports: readonly RegionReport[]): void {
    if (this.#reign.tenure === null) this.#regions.copy(reports);
  }

  #tick(): void {
    for (const name of this.#unreachable) this.#group.raft.reportUnreachable(name);
    this.#unreachable.clear();
    this.#group.tick();
    this.#think();
  }

  #think(): void {
    if (this.#group.state.removedMembers.includes(this.#options.self.name)) this.#options.onRemoved();
    this.#reads.retry();
    this.#watch.look(this.#group);
    this.#reign.think();
  }

  /** A change that is good to have and comes again if it is lost. */
  #suggest(command: Command): void {
    this.propose(command).catch(() => undefined);
  }

  #renew(): void {
    if (this.#reign.tenure === null) return;
    void this.#reads.confirm().then((confirmed) => this.#reign.renewed(confirmed));
  }
}
