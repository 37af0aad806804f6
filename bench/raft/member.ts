import type { Message, NodeId, RaftOptions, RaftRestored, Ready } from '../../subjects/tikv/lab/raft/types.js';
import type { Agenda } from './agenda.js';
import type { Checker } from './checker.js';
import { Disk } from './disk.js';
import { Machine } from './machine.js';
import type { Probe } from './probe.js';
import type { Random } from './random.js';

export interface MemberEnv {
  agenda: Agenda;
  checker: Checker;
  send: (message: Message) => void;
  /** Called with an error that a node threw. */
  panic: (member: Member, error: unknown) => void;
  counts: Counts;
}

/** What happened, so a test can tell that a simulation was worth something. */
export interface Counts {
  acknowledged: number;
  reads: number;
  installs: number;
  crashes: number;
}

export interface MemberPlan {
  options: RaftOptions;
  Node: typeof Probe;
  /** Of this member alone: clock, disk and what a crash leaves. */
  random: Random;
  /** What a founder starts from; a member that joins starts blank. */
  founding?: RaftRestored;
  /** `never`: the mutant that sends before its writes are durable. */
  sync: 'before-sending' | 'never';
  /** Applied entries after which the log is compacted. */
  compactEvery: number;
}

/** One process around a node, as an adapter would build it: disk, state machine, clients, pauses and crashes. */
export class Member {
  node: Probe | null = null;
  paused = false;
  /** Index of the newest change of members that is in force here; that is durable, so a crash does not undo it. */
  knows = 0;
  readonly disk: Disk;
  readonly machine = new Machine();
  private life = 0;
  private owedTicks = 0;
  private waiting: (() => void)[] = [];
  private proposals = new Map<number, number>();
  private reads: { index: number; floor: number }[] = [];

  constructor(
    readonly plan: MemberPlan,
    private readonly env: MemberEnv,
  ) {
    this.disk = new Disk(plan.founding);
  }

  get id(): NodeId {
    return this.plan.options.id;
  }

  start(): void {
    const restored = this.disk.read();
    this.machine.state = { index: 0, digest: 0 };
    if (restored.snapshot) this.machine.restore(restored.snapshot);
    this.node = new this.plan.Node(this.plan.options, restored);
  }

  /** Power cut: memory is gone, and so is what the disk had not synced, from a random point on. */
  crash(): void {
    if (!this.node) return;
    this.env.counts.crashes += 1;
    this.stop();
    this.disk.crash(this.plan.random.between(0, this.disk.unsynced));
  }

  stop(): void {
    this.life += 1;
    this.node = null;
    this.paused = false;
    this.owedTicks = 0;
    this.waiting = [];
    this.proposals.clear();
    this.reads = [];
  }

  /** SIGSTOP. What arrives waits in the socket. */
  pause(): void {
    this.paused = this.node !== null;
  }

  /** SIGCONT. Missed ticks come first, as the core demands. */
  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    const [ticks, waiting] = [this.owedTicks, this.waiting];
    this.owedTicks = 0;
    this.waiting = [];
    this.act((node) => {
      for (let tick = 0; tick < ticks; tick += 1) node.tick();
    });
    for (const run of waiting) run();
  }

  tick(): void {
    if (this.paused) this.owedTicks += 1;
    else this.act((node) => node.tick());
  }

  receive(message: Message): void {
    if (this.paused) this.waiting.push(() => this.receive(message));
    else this.act((node) => node.step(message));
  }

  /** A client wants to write; only somebody who thinks that it leads is worth asking. */
  write(data: string): void {
    this.act((node) => {
      const result = node.propose(data);
      if (result.ok) this.proposals.set(result.index, result.term);
    });
  }

  read(): void {
    const index = this.node?.readIndex() ?? null;
    if (index === null) return;
    this.reads.push({ index, floor: this.env.checker.floor });
    this.act(() => this.answerReads());
  }

  /** Runs one input and then all work that comes of it. */
  act(input: (node: Probe) => void): void {
    if (!this.node || this.paused) return;
    try {
      input(this.node);
      this.work();
    } catch (error) {
      this.env.panic(this, error);
    }
  }

  private work(): void {
    for (let ready = this.node?.ready(); ready; ready = this.node?.ready()) {
      if (this.node) this.env.checker.wrote(this.node, ready.entries);
      this.disk.write(ready);
      if (ready.mustSync && this.plan.sync === 'before-sending') {
        this.syncThenFinish(ready);
        return;
      }
      this.finish(ready);
    }
  }

  private syncThenFinish(ready: Ready): void {
    const { life } = this;
    const finish = () => {
      if (life !== this.life) return;
      if (this.paused) this.waiting.push(finish);
      else this.act(() => this.finish(ready));
    };
    this.env.agenda.later(this.plan.random.between(1, 60), () => {
      if (life !== this.life) return;
      this.disk.sync();
      finish();
    });
  }

  private finish(ready: Ready): void {
    const { node } = this;
    if (!node) return;
    for (const message of ready.messages) this.env.send(message);
    this.apply(node, ready);
    node.advance();
    this.answerReads();
    if (node.appliedIndex - node.snapshotIndex >= this.plan.compactEvery) {
      node.compact(node.appliedIndex, this.machine.save());
    }
  }

  private apply(node: Probe, { snapshot, committed, changes }: Ready): void {
    const { checker, counts } = this.env;
    if (snapshot) {
      counts.installs += 1;
      this.machine.restore(snapshot);
      this.knows = Math.max(this.knows, snapshot.index);
      checker.installed({ id: this.id, state: this.machine.state });
    }
    for (const entry of committed) {
      this.machine.apply(entry);
      checker.applied({ node, entry, state: this.machine.state });
      this.acknowledge(entry);
    }
    for (const change of changes) {
      this.knows = Math.max(this.knows, change.index);
      checker.changed(this.id, change);
    }
  }

  private acknowledge({ index, term }: { index: number; term: number }): void {
    const proposed = this.proposals.get(index);
    this.proposals.delete(index);
    if (proposed !== term) return;
    this.env.counts.acknowledged += 1;
    this.env.checker.acknowledged(index);
  }

  private answerReads(): void {
    if (this.reads.length === 0) return;
    const { state } = this.machine;
    for (const { floor } of this.reads.filter(({ index }) => index <= state.index)) {
      this.env.counts.reads += 1;
      this.env.checker.read({ id: this.id, floor, state });
    }
    this.reads = this.reads.filter(({ index }) => index > state.index);
  }
}
