import type { Ready } from '../raft/member.js';
import type { Message } from '../raft/messages.js';
import { RaftNode } from '../raft/node.js';
import type { RaftStorage } from '../raft/storage.js';
import type { Entry, RaftRestored } from '../raft/types.js';
import { type Applied, apply, type Command, EMPTY_STATE, type PdState } from './state.js';

/** The name of PD's only Raft group in its log file. */
export const GROUP = 'pd';
/** The log is cut after so many entries: PD's state is small, so a snapshot is cheap. */
const ENTRIES_PER_SNAPSHOT = 256;
/** So few stay behind a snapshot: whoever needs more gets the snapshot, which is hardly larger. */
const ENTRIES_KEPT = 8;

export interface GroupOptions {
  readonly self: string;
  readonly voters: readonly string[];
  readonly tickMs: number;
  readonly electionMs: number;
  /** A proposal that is not committed after so long counts as lost, though it may still come. */
  readonly proposalMs: number;
  readonly storage: RaftStorage;
  readonly restored: RaftRestored;
  readonly random: () => number;
  /** Monotonic. */
  readonly nowMs: () => number;
  readonly send: (message: Message) => void;
  /** Something changed: the state, the leader or the role. */
  readonly onChange: () => void;
  /** The disk failed; nothing can be promised from here on. */
  readonly onFailure: (error: unknown) => void;
}

/** A proposal that was not seen committed: it may have been lost, or still be applied later. */
export class ProposalLost extends Error {
  override readonly name = 'ProposalLost';
}

interface Waiting {
  readonly term: number;
  readonly untilMs: number;
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: ProposalLost) => void;
}

/** One member's part of the Raft group: gives the core its clock, its disk and its state machine. */
export class Group {
  readonly raft: RaftNode;
  readonly #options: GroupOptions;
  readonly #waiting = new Map<number, Waiting>();
  #state: PdState;
  #lastTickMs: number;
  #pumping = false;
  #stopped = false;
  #seen = '';

  constructor(options: GroupOptions) {
    const { self, voters, electionMs, tickMs, random, restored, nowMs } = options;
    this.#options = options;
    this.#state = restored.snapshot === null ? EMPTY_STATE : stateFrom(restored.snapshot.data);
    this.#lastTickMs = nowMs();
    const electionTicks = Math.round(electionMs / tickMs);
    this.raft = new RaftNode(
      { id: self, voters: [...voters], electionTicks, heartbeatTicks: 1, trailingEntries: ENTRIES_KEPT, random },
      restored,
    );
  }

  get state(): PdState {
    return this.#state;
  }

  /**
   * Lets the time since the last call pass. A leader makes up for every tick, so that it does not trust its lease after a
   * pause. A follower that was held up counts one: that it did not listen says nothing about the leader, whose messages
   * may be waiting, and a longer promise to that leader is safe.
   */
  tick(): void {
    const { tickMs, nowMs } = this.#options;
    const missed = Math.floor((nowMs() - this.#lastTickMs) / tickMs);
    this.#lastTickMs += missed * tickMs;
    const ticks = this.raft.role === 'leader' ? missed : Math.min(missed, 1);
    for (let tick = 0; tick < ticks; tick += 1) this.raft.tick();
    this.#dropOverdue();
    this.#pump();
  }

  step(message: Message): void {
    this.tick();
    this.raft.step(message);
    this.#pump();
  }

  /**
   * Puts a command into the log and waits until it is applied here.
   *
   * @throws ProposalLost if this member does not lead the group, or if no majority took it in time
   */
  propose(command: Command): Promise<Applied> {
    const result = this.raft.propose(JSON.stringify(command));
    return result.ok ? this.#applied(result) : Promise.reject(new ProposalLost('not leader'));
  }

  /**
   * Takes a member out of the Raft group and tells the state so, in one entry. The core changes a group only once its log
   * begins with a snapshot, which is made here if there is none.
   *
   * @throws ProposalLost as {@link propose}, while another change is under way, and if those who are left and alive would
   * be no majority (etcd: `strict-reconfig-check`)
   */
  removeMember(command: Extract<Command, { kind: 'remove-member' }>): Promise<Applied> {
    if (!this.#survivesWithout(command.member)) return Promise.reject(new ProposalLost('not enough started members'));
    this.#snapshot();
    const steps = [{ kind: 'remove' as const, id: command.member }];
    const result = this.raft.proposeChange({ steps, data: JSON.stringify(command) });
    return result.ok ? this.#applied(result) : Promise.reject(new ProposalLost(result.reason));
  }

  stop(): void {
    this.#stopped = true;
  }

  #applied(result: { readonly index: number; readonly term: number }): Promise<Applied> {
    const untilMs = this.#options.nowMs() + this.#options.proposalMs;
    const done = new Promise<Applied>((resolve, reject) => {
      this.#waiting.set(result.index, { term: result.term, untilMs, resolve, reject });
    });
    this.#pump();
    return done;
  }

  #pump(): void {
    if (this.#pumping || this.#stopped) return;
    this.#pumping = true;
    this.#work().catch((error: unknown) => {
      this.#stopped = true;
      this.#options.onFailure(error);
    });
  }

  async #work(): Promise<void> {
    for (let ready = this.raft.ready(); ready !== null && !this.#stopped; ready = this.raft.ready()) {
      await this.#options.storage.save([{ group: GROUP, ready }]);
      for (const message of ready.messages) this.#options.send(message);
      this.#take(ready);
      this.raft.advance();
    }
    this.#pumping = false;
    this.#cutLog();
    this.#tellChanges();
  }

  #take({ snapshot, committed }: Ready): void {
    if (snapshot !== undefined) this.#state = stateFrom(snapshot.data);
    for (const entry of committed) this.#applyEntry(entry);
  }

  #applyEntry({ index, term, data }: Entry): void {
    const outcome = data === '' ? null : apply(this.#state, JSON.parse(data) as Command);
    if (outcome !== null) this.#state = outcome.state;
    const waiting = this.#waiting.get(index);
    if (waiting === undefined) return;
    this.#waiting.delete(index);
    if (waiting.term === term && outcome !== null) waiting.resolve(outcome.applied);
    else waiting.reject(new ProposalLost('another leader came'));
  }

  #cutLog(): void {
    const { appliedIndex, snapshotIndex } = this.raft;
    if (this.#stopped || appliedIndex - snapshotIndex < ENTRIES_PER_SNAPSHOT) return;
    this.#snapshot();
    this.#pump();
  }

  #survivesWithout(member: string): boolean {
    const left = this.raft.membership.voters.filter((voter) => voter !== member);
    const progress = this.raft.progress();
    const alive = left.filter((voter) => voter === this.raft.id || progress.get(voter)?.recentActive === true);
    return alive.length * 2 > left.length;
  }

  #snapshot(): void {
    this.raft.compact(this.raft.appliedIndex, JSON.stringify(this.#state));
  }

  #dropOverdue(): void {
    const now = this.#options.nowMs();
    for (const [index, { untilMs, reject }] of this.#waiting) {
      if (now < untilMs) continue;
      this.#waiting.delete(index);
      reject(new ProposalLost('no majority in time'));
    }
  }

  #tellChanges(): void {
    const { role, leader, term, appliedIndex } = this.raft;
    const sight = `${role} ${leader} ${term} ${appliedIndex}`;
    if (sight === this.#seen) return;
    this.#seen = sight;
    this.#options.onChange();
  }
}

/** A snapshot of an earlier release lacks what that release did not know. */
function stateFrom(snapshot: string): PdState {
  return { ...EMPTY_STATE, ...(JSON.parse(snapshot) as Partial<PdState>) };
}
