import type { Message, RaftOptions, RaftRestored } from '../../../../../../subjects/tikv/lab/raft/types.js';
import { Probe } from './probe.js';

/** A broken implementation that the checker must be able to tell from the real one. */
export interface Mutant {
  Node?: typeof Probe;
  sync?: 'never';
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

export const MUTANTS = {
  'sends before its log is durable': { sync: 'never' },
  'votes twice in a term': { Node: VotesTwice },
  'votes for outdated logs': { Node: VotesForOldLogs },
  'forgets at a restart that a lease may count on it': { Node: ForgetsPromise },
  'counts the lease from the answer': { Node: LeaseFromAnswer },
  'makes the lease longer than the silence of voters': { options: { maxClockDrift: 0.5 } },
} satisfies Record<string, Mutant>;
