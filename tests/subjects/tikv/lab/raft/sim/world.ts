import type { Message } from '../../../../../../subjects/tikv/lab/raft/types.js';
import { Agenda } from './agenda.js';
import { Checker, Violation } from './checker.js';
import { type Counts, Member, type MemberEnv } from './member.js';
import type { Mutant } from './mutants.js';
import { Network } from './network.js';
import { Probe } from './probe.js';
import { Random } from './random.js';
import { ELECTION_TICKS, SLOW_TICK, TICK } from './time.js';

export interface WorldOptions {
  seed: number;
  mutant?: Mutant;
}

/** A cluster of 1, 3 or 5 members on one agenda; everything in it follows from the seed. */
export class World {
  readonly agenda = new Agenda();
  readonly checker = new Checker();
  readonly counts: Counts = { acknowledged: 0, reads: 0, installs: 0, crashes: 0 };
  readonly network: Network;
  readonly members: Member[];
  violation: Violation | null = null;
  /** Chaos is over: no more deeds, and nothing is lost. */
  isCalm = false;
  private readonly random: Random;
  /** Share of writes in what clients ask. With few of them logs stay level, and who may lead is left to the leases. */
  private readonly writeShare: number;
  private writes = 0;

  constructor(private readonly options: WorldOptions) {
    this.random = new Random(options.seed);
    this.network = new Network(this.random, {
      loss: this.random.pick([0, 0.02, 0.1]),
      repeat: this.random.pick([0, 0.05]),
      maxDelay: this.random.pick([10, TICK, 6 * TICK]),
      straggle: this.random.pick([0, 0.02, 0.3]),
    });
    this.writeShare = this.random.pick([0.02, 0.5]);
    this.members = this.found();
  }

  /** Starts every member, the clocks and the clients; in every other world the first election is called by hand. */
  begin(): void {
    for (const member of this.members) {
      this.start(member);
      this.schedule(member);
    }
    if (this.random.chance(0.5)) this.observe(() => this.members[0]?.act((node) => node.campaign()));
    this.agenda.later(TICK, () => this.client());
  }

  leaders(): Member[] {
    return this.members.filter(({ node, paused }) => node?.role === 'leader' && !paused);
  }

  start(member: Member): void {
    if (member.node) return;
    this.observe(() => member.start());
  }

  /** Cuts exactly the links that `isCut` names. */
  cut(isCut: (from: Member, to: Member) => boolean): void {
    this.network.heal();
    for (const from of this.members) {
      for (const to of this.members) if (from !== to && isCut(from, to)) this.network.block(from.id, to.id);
    }
  }

  /** Ends the chaos and brings everybody back. */
  calm(): void {
    this.isCalm = true;
    this.network.heal();
    this.network.weather = { loss: 0, repeat: 0, maxDelay: 10, straggle: 0 };
    for (const member of this.members) {
      member.resume();
      this.start(member);
    }
  }

  run({ until, goOn }: { until: number; goOn: () => boolean }): void {
    this.agenda.run({ until, goOn: () => this.violation === null && goOn() });
  }

  compareLogs(): void {
    this.observe(() => this.checker.logs(this.members.flatMap(({ node }) => node ?? [])));
  }

  /** Runs a piece of the world and looks at the result; the first violation ends it. */
  observe(piece: () => void): void {
    try {
      piece();
      this.checker.roles(this.members);
    } catch (error) {
      this.fail(error);
    }
  }

  private found(): Member[] {
    const size = this.random.pick([1, 3, 3, 3, 5, 5]);
    const voters = Array.from({ length: size }, (_, at) => `n${at + 1}`);
    const compactEvery = this.random.pick([5, 20, 80]);
    const tuning = {
      heartbeatTicks: this.random.between(1, 2),
      maxEntriesPerMessage: this.random.between(1, 8),
      trailingEntries: this.random.pick([0, 5]),
      ...this.options.mutant?.options,
    };
    return voters.map((id) => {
      const options = { id, voters, electionTicks: ELECTION_TICKS, random: this.random.next, ...tuning };
      const { Node = Probe, sync = 'before-sending' } = this.options.mutant ?? {};
      return new Member({ options, Node, sync, compactEvery }, this.environment());
    });
  }

  private environment(): MemberEnv {
    const { agenda, random, checker, counts } = this;
    return {
      agenda,
      random,
      checker,
      counts,
      send: (message) => this.deliver(message),
      panic: (member, error) => this.panic(member, error),
    };
  }

  private deliver(message: Message): void {
    if (this.network.isCut(message.from, message.to)) this.reportUnreachable(message);
    const target = this.members.find(({ id }) => id === message.to);
    for (const delay of this.network.arrivals(message)) {
      this.agenda.later(delay, () => this.observe(() => target?.receive(message)));
    }
  }

  private reportUnreachable({ from, to }: Message): void {
    if (!this.random.chance(0.2)) return;
    const sender = this.members.find(({ id }) => id === from);
    this.agenda.later(1, () => this.observe(() => sender?.act((node) => node.reportUnreachable(to))));
  }

  /** Each tick takes between a fast and a slow one, so clocks drift apart as far as is allowed and no further. */
  private schedule(member: Member): void {
    this.agenda.later(this.random.between(TICK, SLOW_TICK), () => {
      this.observe(() => member.tick());
      this.schedule(member);
    });
  }

  private client(): void {
    for (const leader of this.leaders()) {
      this.writes += 1;
      if (this.random.chance(this.isCalm ? 0.5 : this.writeShare)) this.observe(() => leader.write(`w${this.writes}`));
      else this.observe(() => leader.read());
    }
    this.agenda.later(this.random.between(20, 2 * TICK), () => this.client());
  }

  /** A node's own alarm is a violation; of a mutant only what the checker finds counts, so there the process just dies. */
  private panic(member: Member, error: unknown): void {
    if (error instanceof Violation || !this.options.mutant) {
      this.fail(error);
      return;
    }
    member.crash();
    this.agenda.later(5 * TICK, () => this.start(member));
  }

  private fail(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.violation ??= error instanceof Violation ? error : new Violation('panic', text);
  }
}
