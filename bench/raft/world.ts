import type { Message } from '../../subjects/tikv/lab/raft/messages.js';
import type { Installed, NodeId, RaftRestored } from '../../subjects/tikv/lab/raft/types.js';
import { Agenda } from './agenda.js';
import { Checker, type Judge, showMembership, Violation } from './checker.js';
import { BLANK } from './machine.js';
import { type Counts, GOOD_HABITS, Member, type MemberEnv } from './member.js';
import type { Mutant } from './mutants.js';
import { Network } from './network.js';
import { Probe } from './probe.js';
import { Random } from './random.js';
import { Recorder } from './recorder.js';
import type { Settings } from './settings.js';
import { ELECTION_TICKS, SLOW_TICK, TICK } from './time.js';

export interface WorldOptions {
  seed: number;
  settings: Settings;
  mutant?: Mutant;
  /** `everybody` by default. */
  judge?: Judge;
  /** Gets what happens, in words; `at` in ticks. */
  tell?: (at: number, what: string) => void;
}

/** Every founder starts from the same snapshot, as the stores' regions do, so that the group can change its members. */
const FOUNDING_INDEX = 5;
const SWEEP_EVERY = 10 * TICK;

/** A cluster on one agenda. Its chances follow from the seed; what is done to it comes from outside. */
export class World {
  readonly agenda = new Agenda();
  readonly counts: Counts = { acknowledged: 0, reads: 0, installs: 0, crashes: 0 };
  readonly checker: Checker;
  readonly recorder = new Recorder();
  readonly network: Network;
  members: Member[] = [];
  violation: Violation | null = null;
  private readonly byId = new Map<NodeId, Member>();
  private readonly env: MemberEnv;
  private readonly founders: NodeId[];
  private isCalm = false;
  private ids = 0;
  private told = '';

  constructor(private readonly options: WorldOptions) {
    const { seed, settings, judge = 'everybody' } = options;
    this.network = new Network(seed, settings.weather);
    this.founders = Array.from({ length: settings.founders }, () => this.newId());
    this.checker = new Checker({ founding: this.founding, judge });
    this.env = this.environment();
  }

  /** Starts every founder and its clock. */
  begin(): void {
    for (const id of this.founders) this.add(id, foundingDisk(this.founders));
    if (this.options.settings.called) this.observe(() => this.members[0]?.act((node) => node.campaign()));
    this.agenda.later(SWEEP_EVERY, () => this.sweep());
  }

  leaders(): Member[] {
    return this.members.filter(({ node, paused }) => node?.role === 'leader' && !paused);
  }

  /** A name that no member ever had: a member that comes back blank has forgotten its votes. */
  newId(): NodeId {
    this.ids += 1;
    return `n${this.ids}`;
  }

  /** A member that is to be added to the group; nothing if it is there. */
  join(id: NodeId): void {
    if (!this.byId.has(id)) this.add(id);
  }

  start(member: Member): void {
    if (!member.node && this.byId.has(member.id)) this.observe(() => member.start());
  }

  /** What a deed does later; dropped if the chaos ends before. */
  unlessCalm(delay: number, run: () => void): void {
    this.agenda.later(delay, () => {
      if (!this.isCalm) this.observe(run);
    });
  }

  /** Cuts exactly the links that `isCut` names, and says which. */
  cut(isCut: (from: Member, to: Member) => boolean): string {
    this.network.heal();
    const links: string[] = [];
    for (const from of this.members) {
      for (const to of this.members) {
        if (from === to || !isCut(from, to)) continue;
        this.network.block(from.id, to.id);
        links.push(`${from.id}>${to.id}`);
      }
    }
    return `cut ${links.join(' ') || 'nothing'}`;
  }

  /** Ends the chaos, brings everybody back and lets clients write. */
  calm(): void {
    this.isCalm = true;
    this.network.heal();
    this.network.weather = { loss: 0, repeat: 0, maxDelay: 10, straggle: 0 };
    for (const member of this.members) {
      this.observe(() => member.resume());
      this.start(member);
    }
    this.ask();
  }

  /** The members of the newest configuration. */
  group(): Member[] {
    const { voters, outgoing = [], learners = [] } = this.checker.newest.membership;
    return this.members.filter(({ id }) => [voters, outgoing, learners].some((ids) => ids.includes(id)));
  }

  run({ until, goOn }: { until: number; goOn: () => boolean }): void {
    this.agenda.run({ until, goOn: () => this.violation === null && goOn() });
  }

  /** Runs a piece of the world and looks at the result; the first violation ends it. */
  observe(piece: () => void): void {
    try {
      piece();
      this.checker.roles(this.members);
    } catch (error) {
      this.fail(error);
    }
    if (this.options.tell) this.tellChanges();
  }

  /** For whoever reads along. */
  tell(what: string): void {
    this.options.tell?.(this.agenda.now / TICK, what);
  }

  private get founding(): Installed {
    return { index: FOUNDING_INDEX, membership: { voters: this.founders } };
  }

  private ask(): void {
    for (const leader of this.leaders()) this.observe(() => leader.write(`calm${this.agenda.now}`));
    this.agenda.later(TICK, () => this.ask());
  }

  /** Who was removed may go once everybody who stays knows of it, as `RaftMember.proposeChange` demands. */
  private sweep(): void {
    const { index } = this.checker.newest;
    const group = this.group();
    if (group.every(({ knows }) => knows >= index)) {
      const removed = this.members.filter((member) => !group.includes(member) && member.knows > 0);
      for (const member of removed) this.forget(member);
    }
    this.agenda.later(SWEEP_EVERY, () => this.sweep());
  }

  private forget(member: Member): void {
    member.stop();
    this.byId.delete(member.id);
    this.members = this.members.filter((other) => other !== member);
  }

  private add(id: NodeId, founding?: RaftRestored): void {
    const { seed, settings } = this.options;
    const { Node = Probe, options: mutation, ...habits } = { ...GOOD_HABITS, ...this.options.mutant };
    const { heartbeatTicks, maxEntriesPerMessage, trailingEntries, compactEvery } = settings;
    const options = {
      id,
      voters: founding ? this.founders : [],
      electionTicks: ELECTION_TICKS,
      random: Random.of(seed, `node ${id}`).next,
      heartbeatTicks,
      maxEntriesPerMessage,
      trailingEntries,
      ...mutation,
    };
    const random = Random.of(seed, `member ${id}`);
    const member = new Member({ options, Node, random, founding, compactEvery, ...habits }, this.env);
    this.members.push(member);
    this.byId.set(id, member);
    member.start();
    this.schedule(member, random);
  }

  private environment(): MemberEnv {
    const { agenda, checker, counts, recorder } = this;
    return {
      agenda,
      checker,
      recorder,
      counts,
      send: (message) => this.deliver(message),
      panic: (member, error) => this.panic(member, error),
    };
  }

  private deliver(message: Message): void {
    const { from, to } = message;
    if (this.network.isCut(from, to)) this.reportUnreachable(from, to);
    for (const delay of this.network.arrivals(from, to)) {
      this.agenda.later(delay, () => this.observe(() => this.byId.get(to)?.receive(message)));
    }
  }

  private reportUnreachable(from: NodeId, to: NodeId): void {
    const sender = this.byId.get(from);
    if (!sender?.plan.random.chance(0.2)) return;
    this.agenda.later(1, () => this.observe(() => sender.act((node) => node.reportUnreachable(to))));
  }

  /** Each tick takes between a fast and a slow one, so clocks drift apart as far as is allowed and no further. */
  private schedule(member: Member, random: Random): void {
    this.agenda.later(random.between(TICK, SLOW_TICK), () => {
      if (!this.byId.has(member.id)) return;
      this.observe(() => member.tick());
      this.schedule(member, random);
    });
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
    if (this.violation) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.violation = error instanceof Violation ? error : new Violation('panic', text);
    this.tell(this.violation.message);
  }

  private tellChanges(): void {
    const leaders = this.leaders().map(({ id, node }) => `${id} leads term ${node?.term}`);
    const { index, membership } = this.checker.newest;
    const now = `${leaders.join(', ') || 'nobody leads'}; since entry ${index} the group is ${showMembership(membership)}`;
    if (now === this.told) return;
    this.told = now;
    this.tell(now);
  }
}

function foundingDisk(voters: NodeId[]): RaftRestored {
  const data = JSON.stringify({ ...BLANK, index: FOUNDING_INDEX });
  const snapshot = { index: FOUNDING_INDEX, term: 0, voters: [...voters], data };
  return { hardState: { term: 0, vote: null, commit: FOUNDING_INDEX }, entries: [], snapshot };
}
