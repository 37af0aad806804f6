import { Electorate } from './electorate.js';
import { RaftLog } from './log.js';
import type { RaftOptions, Role } from './member.js';
import { membershipOf } from './membership.js';
import type { Message } from './messages.js';
import type { Progress } from './progress.js';
import type { HardState, Installed, NodeId, RaftRestored, Snapshot } from './types.js';

/** A leadership transfer under way. `startedAt` in ticks; `sent`: the target may have been told to start an election. */
export interface Transfer {
  to: NodeId;
  startedAt: number;
  sent: boolean;
}

/** A Ready the adapter works on: how far disk and state machine will be when it is done. */
export interface InFlight {
  durable: number;
  applied: number;
  changes: Installed[];
}

/** Message without sender; `term` is the member's own unless given. */
type Draft<M> = M extends Message ? Omit<M, 'from' | 'term'> & { term?: number; from?: NodeId } : never;

/** The state of one member. The functions of the neighbouring files are its behaviour; adapters see only `RaftNode`. */
export class Core {
  readonly id: NodeId;
  readonly electionTicks: number;
  readonly heartbeatTicks: number;
  /** A lease is this many of the leader's ticks: shorter than any follower's `electionTicks - 1` for the allowed drift. */
  readonly leaseTicks: number;
  readonly maxEntriesPerMessage: number;
  readonly trailingEntries: number;
  readonly random: () => number;
  readonly log: RaftLog;
  /** Configurations from that of the newest snapshot on; the last one is in force. */
  memberships: [Installed, ...Installed[]];
  electorate: Electorate;

  term: number;
  vote: NodeId | null;
  role: Role = 'follower';
  leader: NodeId | null = null;
  /** Ticks since the start of this process. */
  now = 0;
  /** Ticks towards the next election, heartbeat or repeated vote request. */
  elapsed = 0;
  timeout = 0;
  /**
   * Ticks since this member last answered a leader. Below `electionTicks` it refuses votes, whatever the term,
   * because that leader's lease may count on it. A restart forgets when it answered, so it counts from the start.
   */
  sinceLeader: number;
  /** Answers to this member's candidacy. */
  votes = new Map<NodeId, boolean>();
  /** This candidacy was asked for by the leader. */
  handover = false;
  /** Of a leader: the other members. */
  peers = new Map<NodeId, Progress>();
  /** Of a leader: reads need this index committed, an entry of its own term. */
  readsFrom = 0;
  /** Of a leader: a change of members waits until this index is applied, since a change may be at or before it. */
  changesFrom = 0;
  transfer: Transfer | null = null;
  outbox: Message[] = [];
  /** Snapshot to go out with the next Ready. */
  pending: { kind: 'install' | 'own'; snapshot: Snapshot } | null = null;
  inFlight: InFlight | null = null;
  lastHardState: HardState;

  constructor(options: RaftOptions, restored: RaftRestored) {
    checkOptions(options);
    this.id = options.id;
    this.electionTicks = options.electionTicks;
    this.heartbeatTicks = options.heartbeatTicks;
    this.leaseTicks = Math.floor((options.electionTicks - 1) / (options.maxClockDrift ?? 1.1));
    this.maxEntriesPerMessage = options.maxEntriesPerMessage ?? 64;
    this.trailingEntries = options.trailingEntries ?? 64;
    this.random = options.random;
    this.log = new RaftLog(restored);
    const membership = membershipOf(restored.snapshot ?? options);
    this.memberships = [{ index: this.log.base.index, membership }];
    this.electorate = new Electorate(membership);
    this.term = restored.hardState.term;
    this.vote = restored.hardState.vote;
    this.sinceLeader = this.term === 0 ? this.electionTicks : 0;
    this.lastHardState = this.hardState;
    this.resetTimer();
  }

  get hardState(): HardState {
    return { term: this.term, vote: this.vote, commit: this.log.commit };
  }

  /** Does this member vote, as far as it knows? */
  get isVoter(): boolean {
    return this.electorate.voters.has(this.id);
  }

  /** Makes the draft, which the caller must not use any more, a message. */
  send(draft: Draft<Message>): void {
    draft.term ??= this.term;
    draft.from = this.id;
    this.outbox.push(draft as Message);
  }

  resetTimer(): void {
    this.elapsed = 0;
    this.timeout = this.electionTicks + Math.floor(this.random() * this.electionTicks);
  }
}

function checkOptions({ id, voters, electionTicks, heartbeatTicks }: RaftOptions): void {
  if (voters.length > 0 && !voters.includes(id)) {
    throw new RangeError(`member ${id} is not one of the voters ${voters.join(', ')}`);
  }
  if (heartbeatTicks < 1) throw new RangeError(`heartbeatTicks is ${heartbeatTicks}, must be at least 1`);
  if (electionTicks < 3 || electionTicks <= heartbeatTicks) {
    throw new RangeError(`electionTicks is ${electionTicks}, must be at least 3 and above heartbeatTicks`);
  }
}
