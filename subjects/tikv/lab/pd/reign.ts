import { performance } from 'node:perf_hooks';
import type { ClusterTimes } from '../../profiles.js';
import type { Group } from './group.js';
import { Leadership, type Sight, type Wish } from './leadership.js';
import type { Log } from './log.js';
import { newClusterId } from './members.js';
import type { Peers } from './peers.js';
import { wallMs } from './process-view.js';
import type { Confirmed } from './reads.js';
import { operatorLine } from './schedule/operator-line.js';
import type { Command } from './state.js';
import { Tenure, type TenureOptions } from './tenure.js';

export interface ReignOptions {
  readonly self: string;
  readonly times: ClusterTimes;
  readonly group: Group;
  readonly send: Peers['send'];
  readonly log: Log;
  readonly scene: TenureOptions['scene'];
  /** This member begins to serve as PD's leader, or ceases to. */
  readonly onBegin: () => void;
  readonly onEnd: () => void;
}

/** Carries out what {@link Leadership} wishes, and keeps the {@link Tenure} of a member while it serves. */
export class Reign {
  readonly #options: ReignOptions;
  readonly #leadership: Leadership;
  #tenure: Tenure | null = null;
  #busy = false;
  #named: string | null = null;
  #knownClusterVersion = '0.0.0';

  constructor(options: ReignOptions) {
    this.#options = options;
    this.#leadership = new Leadership(options);
  }

  /** Null unless this member serves. */
  get tenure(): Tenure | null {
    return this.#tenure;
  }

  /** The cluster version when the present leader came: PD's followers read the settings only then. */
  get knownClusterVersion(): string {
    return this.#knownClusterVersion;
  }

  /** Does this member serve right now? Looks at the clock, so a lease that ran out unnoticed counts. */
  serves(): boolean {
    return this.#tenure !== null && this.#leadership.serves(this.#sight());
  }

  /** PD's leader as this member knows it. */
  leader(): string | null {
    return this.#leadership.named(this.#sight());
  }

  /** To be called on every tick and after every change in the group. */
  think(): void {
    const sight = this.#sight();
    this.#noticeTenure(this.#leadership.serves(sight));
    this.#noticeLeader(this.#leadership.named(sight));
    this.#carryOut(this.#leadership.wish(sight), sight);
  }

  /** A majority confirmed the leadership: the lease is good for its full time again. */
  renewed({ askedAtMs }: Confirmed): void {
    this.#leadership.renewed(askedAtMs);
  }

  #sight(): Sight {
    const { raft, state } = this.#options.group;
    return {
      nowMs: performance.now(),
      isRaftLeader: raft.role === 'leader',
      raftLeader: raft.leader,
      raftTerm: raft.term,
      key: state.leaderKey,
    };
  }

  #noticeTenure(serves: boolean): void {
    if (serves && this.#tenure === null) this.#begin();
    if (!serves && this.#tenure !== null) this.#end();
  }

  #begin(): void {
    const { group, self, scene, log, onBegin } = this.#options;
    const propose = (command: Command) => group.propose(command);
    this.#tenure = new Tenure({
      state: () => group.state,
      propose,
      wallMs,
      scene,
      onOperator: (operator) => log(operatorLine(operator)),
    });
    this.#say('server.go:2', 'PD leader is ready to serve', self);
    onBegin();
  }

  #end(): void {
    this.#tenure = null;
    this.#say('server.go:3', 'no longer a leader, step down', this.#options.self);
    this.#options.onEnd();
  }

  #noticeLeader(named: string | null): void {
    if (named === this.#named) return;
    this.#named = named;
    this.#knownClusterVersion = this.#options.group.state.clusterVersion;
    this.#say('server.go:1', named === null ? 'pd leader is lost' : 'pd leader is changed', named ?? '');
  }

  #carryOut(wish: Wish, { isRaftLeader, raftLeader }: Sight): void {
    if (isRaftLeader && this.#options.group.state.clusterId === null) this.#attempt(nameCluster());
    else if (wish.kind === 'take') this.#take(wish.key);
    else if (wish.kind === 'leave' && isRaftLeader) this.#attempt({ kind: 'leave-lead', key: wish.key });
    else if (wish.kind === 'leave' && raftLeader !== null) {
      this.#options.send(raftLeader, { kind: 'leave-lead', key: wish.key });
    }
  }

  #take(key: Extract<Wish, { kind: 'take' }>['key']): void {
    const askedAtMs = performance.now();
    this.#attempt({ kind: 'take-lead', key }, () => this.#leadership.took(key, askedAtMs));
  }

  /** One at a time: until a proposal is applied, the next look would wish the same again. A lost one waits for a tick. */
  #attempt(command: Command, done: () => void = () => undefined): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#options.group
      .propose(command)
      .then((applied) => {
        this.#busy = false;
        if (applied === 'done') done();
        this.think();
      })
      .catch(() => {
        this.#busy = false;
      });
  }

  #say(source: string, message: string, leader: string): void {
    this.#options.log({ level: 'INFO', source, message, fields: { leader } });
  }
}

function nameCluster(): Command {
  const clusterId = newClusterId({ unixSeconds: Math.floor(wallMs() / 1000), random: Math.random() });
  return { kind: 'name-cluster', clusterId };
}
