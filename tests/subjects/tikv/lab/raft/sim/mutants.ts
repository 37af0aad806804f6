import type { Message, RaftOptions, RaftRestored } from '../../../../../../subjects/tikv/lab/raft/types.js';
import type { ViolationKind } from './checker.js';
import { Probe } from './probe.js';

/** A broken implementation that the checker must be able to tell from the real one. Its own alarms do not count. */
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

/** By what it does wrong, with what that may look like from outside. */
export const MUTANTS = {
  'sends before its log is durable': {
    sync: 'never',
    shows: ['leader-lacks-committed', 'states-differ', 'stale-read', 'two-leaders', 'logs-differ', 'write-lost'],
  },
  'votes twice in a term': { Node: VotesTwice, shows: ['two-leaders'] },
  'votes for outdated logs': { Node: VotesForOldLogs, shows: ['leader-lacks-committed', 'states-differ'] },
  'forgets at a restart that a lease may count on it': { Node: ForgetsPromise, shows: ['lease-broken', 'stale-read'] },
  'counts the lease from the answer': { Node: LeaseFromAnswer, shows: ['lease-broken', 'stale-read'] },
  'believes in its lease for longer than voters are silent': {
    options: { maxClockDrift: 0.5 },
    shows: ['lease-broken', 'stale-read'],
  },
} satisfies Record<string, Mutant & { shows: ViolationKind[] }>;
