import type { RaftOptions, Ready } from '../../subjects/tikv/lab/raft/member.js';
import type { Message } from '../../subjects/tikv/lab/raft/messages.js';
import type { NodeId, RaftRestored } from '../../subjects/tikv/lab/raft/types.js';
import type { Agenda } from './agenda.js';
import type { Checker } from './checker.js';
import { Disk } from './disk.js';
import { BLANK, Machine } from './machine.js';
import type { Probe } from './probe.js';
import type { Random } from './random.js';
import type { PendingRead, PendingWrite, Recorder } from './recorder.js';

export interface MemberEnv {
  agenda: Agenda;
  checker: Checker;
  /** What clients see. */
  recorder: Recorder;
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

/** How a member deals with its disk and its clients. */
export interface Habits {
  /** `never`: the mutant that sends before its writes are durable. */
  sync: 'before-sending' | 'never';
  /** `at-once`: the mutant that does not wait until what was committed when it was asked is applied. */
  answers: 'when-applied' | 'at-once';
  /** `any-entry`: the mutant that does not look whose entry it is that was applied where it had put the client's. */
  acknowledges: 'own-entry' | 'any-entry';
}

export const GOOD_HABITS: Habits = { sync: 'before-sending', answers: 'when-applied', acknowledges: 'own-entry' };

export interface MemberPlan extends Habits {
  options: RaftOptions;
  Node: typeof Probe;
  /** Of this member alone: clock, disk and what a crash leaves. */
  random: Random;
  /** What a founder starts from; a member that joins starts blank. */
  founding?: RaftRestored;
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
  private proposals = new Map<number, { term: number; write: PendingWrite }>();
  private reads: { index: number; floor: number; read: PendingRead }[] = [];

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
    this.machine.state = BLANK;
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
  write(what: string): void {
    const data = `${what} by ${this.id}`;
    this.act((node) => {
      const result = node.propose(data);
      if (result.ok) this.proposals.set(result.index, { term: result.term, write: this.env.recorder.write(data) });
    });
  }

  read(): void {
    const index = this.node?.readIndex() ?? null;
    if (index === null) return;
    this.reads.push({ index, floor: this.env.checker.floor, read: this.env.recorder.read() });
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
    if (!proposed || (proposed.term !== term && this.plan.acknowledges === 'own-entry')) return;
    proposed.write.returned();
    this.env.counts.acknowledged += 1;
    this.env.checker.acknowledged(index);
  }

  private answerReads(): void {
    if (this.reads.length === 0) return;
    const { state } = this.machine;
    const isDue = ({ index }: { index: number }) => index <= state.index || this.plan.answers === 'at-once';
    for (const { floor, read } of this.reads.filter(isDue)) {
      this.env.counts.reads += 1;
      read.returned(state.value);
      this.env.checker.read({ id: this.id, floor, state });
    }
    this.reads = this.reads.filter((read) => !isDue(read));
  }
}
