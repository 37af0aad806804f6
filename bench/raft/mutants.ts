import { Electorate } from '../../subjects/tikv/lab/raft/electorate.js';
import type { RaftOptions, Ready } from '../../subjects/tikv/lab/raft/member.js';
import type { Message } from '../../subjects/tikv/lab/raft/messages.js';
import type { NodeId, RaftRestored } from '../../subjects/tikv/lab/raft/types.js';
import type { ViolationKind } from './checker.js';
import type { Habits } from './member.js';
import { Probe } from './probe.js';

/** A broken implementation that the checker must be able to tell from the real one. Its own alarms do not count. */
export interface Mutant extends Partial<Habits> {
  Node?: typeof Probe;
  options?: Partial<RaftOptions>;
}

/** Votes for everybody who asks, also a second time in the same term. */
class VotesTwice extends Probe {
  override step(message: Message): void {
    if (message.type === 'vote' && message.term === this.core.term && this.role !== 'leader') this.core.vote = null;
    super.step(message);
  }
}

/** Takes every candidate's log for the best there is. */
class VotesForOldLogs extends Probe {
  override step(message: Message): void {
    const best = { lastTerm: Number.MAX_SAFE_INTEGER, lastIndex: Number.MAX_SAFE_INTEGER };
    super.step(message.type === 'vote' || message.type === 'pre-vote' ? { ...message, ...best } : message);
  }
}

/** After a restart elects a new leader at once, while the lease of the old one counts on this member. */
class ForgetsPromise extends Probe {
  constructor(options: RaftOptions, restored: RaftRestored) {
    super(options, restored);
    this.core.sinceLeader = options.electionTicks;
  }
}

/** Counts its lease from the answer instead of from the sending. */
class LeaseFromAnswer extends Probe {
  override step(message: Message): void {
    super.step(message.type === 'heartbeat-reply' ? { ...message, sentAt: this.core.now } : message);
  }
}

/** Serves reads as long as it thinks that it leads, and never asks whether anybody still follows. */
class NoCheckQuorum extends Probe {
  override tick(): void {
    for (const peer of this.core.peers.values()) peer.heardAt = this.core.now;
    super.tick();
  }

  override leaseValid(): boolean {
    return this.role === 'leader' && this.core.log.commit >= this.core.readsFrom;
  }

  override readIndex(): number | null {
    return this.leaseValid() ? this.commitIndex : null;
  }
}

/** Believes what it has for committed to be all there is, before anything of its own term is. */
class ReadsTooEarly extends Probe {
  override leaseValid(): boolean {
    return this.asIfSettled(() => super.leaseValid());
  }

  override readIndex(): number | null {
    return this.asIfSettled(() => super.readIndex());
  }

  private asIfSettled<T>(ask: () => T): T {
    const { readsFrom } = this.core;
    this.core.readsFrom = 0;
    const answer = ask();
    this.core.readsFrom = readsFrom;
    return answer;
  }
}

/** Runs `work` while everybody is counted by another electorate. */
function counting(node: { electorate: Electorate }, other: (real: Electorate) => Electorate, work: () => void): void {
  const real = node.electorate;
  const counted = other(real);
  node.electorate = counted;
  work();
  if (node.electorate === counted) node.electorate = real;
}

/** Commits what the new half of a joint configuration holds. */
class CommitsByNewHalf extends Probe {
  override step(message: Message): void {
    const newHalf = ({ membership: { voters } }: Electorate) => new Electorate({ voters });
    if (message.type !== 'append-reply') super.step(message);
    else counting(this.core, newHalf, () => super.step(message));
  }
}

/** Counts what learners hold, towards the same number. */
class LearnersCount extends Electorate {
  override agreed(reachedBy: (voter: NodeId) => number): number {
    const need = (this.membership.voters.length >> 1) + 1;
    return this.members.map(reachedBy).sort((a, b) => b - a)[need - 1] ?? 0;
  }
}

class CommitsByLearners extends Probe {
  override step(message: Message): void {
    if (message.type !== 'append-reply') super.step(message);
    else
      counting(
        this.core,
        ({ membership }) => new LearnersCount(membership),
        () => super.step(message),
      );
  }
}

/** Goes on leading after a change that took it out of the group was applied. */
class RemovedLeaderGoesOn extends Probe {
  override advance(): void {
    const { role, term, peers } = this.core;
    const kept = new Map(peers);
    super.advance();
    if (role !== 'leader' || this.core.term !== term || this.isVoter) return;
    this.core.role = 'leader';
    this.core.leader = this.id;
    this.core.peers = kept;
  }
}

/** Leaves the commit of a change of members in the disk's cache. */
class LeavesChangeUnsynced extends Probe {
  override ready(): Ready | null {
    const { term, vote } = this.core.lastHardState;
    const ready = super.ready();
    if (!ready || ready.changes.length === 0 || ready.entries.length > 0 || ready.snapshot || ready.compacted)
      return ready;
    const isPromise = ready.hardState && (ready.hardState.term !== term || ready.hardState.vote !== vote);
    return isPromise ? ready : { ...ready, mustSync: false };
  }
}

/** Learns nothing from votes about what is committed. */
class DeafToVotes extends Probe {
  override step(message: Message): void {
    super.step('commitTerm' in message ? { ...message, commit: 0 } : message);
  }
}

/** Stands for election although it has not applied a change that it knows to be committed. */
class StandsBehind extends Probe {
  override tick(): void {
    this.asIfApplied(() => super.tick());
  }

  override step(message: Message): void {
    this.asIfApplied(() => super.step(message));
  }

  private asIfApplied(work: () => void): void {
    const { log } = this.core;
    const { applied } = log;
    log.applied = Number.MAX_SAFE_INTEGER;
    work();
    log.applied = applied;
  }
}

export interface KnownMutant extends Mutant {
  /** What it may look like to everybody. */
  shows: ViolationKind[];
  /** Clients must find it out by themselves, from their answers alone. */
  clientsSee?: true;
}

/** By what it does wrong. */
export const MUTANTS = {
  'sends before its log is durable': {
    sync: 'never',
    shows: ['leader-lacks-committed', 'states-differ', 'stale-read', 'two-leaders', 'logs-differ', 'write-lost'],
    clientsSee: true,
  },
  'votes twice in a term': { Node: VotesTwice, shows: ['two-leaders'] },
  'votes for outdated logs': { Node: VotesForOldLogs, shows: ['leader-lacks-committed', 'states-differ'] },
  'forgets at a restart that a lease may count on it': { Node: ForgetsPromise, shows: ['lease-broken', 'stale-read'] },
  'counts the lease from the answer': {
    Node: LeaseFromAnswer,
    shows: ['lease-broken', 'stale-read'],
    clientsSee: true,
  },
  'believes in its lease for longer than voters are silent': {
    options: { maxClockDrift: 0.5 },
    shows: ['lease-broken', 'stale-read'],
  },
  'reads under its lease without asking for a majority': {
    Node: NoCheckQuorum,
    shows: ['lease-broken', 'stale-read'],
    clientsSee: true,
  },
  'reads before anything of its own term is committed': {
    Node: ReadsTooEarly,
    shows: ['stale-read', 'not-linearizable'],
    clientsSee: true,
  },
  'answers a read before it has applied what was committed when it was asked': {
    answers: 'at-once',
    shows: ['stale-read', 'not-linearizable'],
    clientsSee: true,
  },
  "acknowledges a write when another leader's entry was applied in its place": {
    acknowledges: 'any-entry',
    shows: ['not-linearizable'],
    clientsSee: true,
  },
  'commits by the new half of a joint configuration': {
    Node: CommitsByNewHalf,
    shows: ['leader-lacks-committed', 'states-differ', 'write-lost', 'stale-read', 'stuck'],
    clientsSee: true,
  },
  'counts what learners hold': {
    Node: CommitsByLearners,
    shows: ['leader-lacks-committed', 'states-differ', 'write-lost', 'stale-read', 'stuck'],
    clientsSee: true,
  },
  'goes on leading after its removal': { Node: RemovedLeaderGoesOn, shows: ['outsider-stands'] },
  'stands for election with a committed change unapplied': {
    Node: StandsBehind,
    shows: ['outsider-stands', 'two-leaders', 'leader-lacks-committed', 'states-differ', 'lease-broken'],
  },
  'leaves the commit of a change unsynced': { Node: LeavesChangeUnsynced, shows: ['stuck'] },
  'learns from no vote what is committed': { Node: DeafToVotes, shows: ['stuck'] },
} satisfies Record<string, KnownMutant>;
