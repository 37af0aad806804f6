import type { ClusterTimes } from '../../profiles.js';
import type { LeaderKey } from './state.js';

/** What a member sees when it thinks about the leadership. Times are of its own monotonic clock. */
export interface Sight {
  readonly nowMs: number;
  readonly isRaftLeader: boolean;
  /** Null while the Raft group has none. */
  readonly raftLeader: string | null;
  readonly raftTerm: number;
  /** The leader key as this member has applied it. */
  readonly key: LeaderKey | null;
}

/** What to put into the Raft log, if anything; a member that does not lead the Raft group asks the one that does. */
export type Wish =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'take'; readonly key: LeaderKey }
  | { readonly kind: 'leave'; readonly key: LeaderKey };

const NOTHING: Wish = { kind: 'nothing' };

export interface LeadershipOptions {
  readonly self: string;
  readonly times: Pick<ClusterTimes, 'pdLeaseMs' | 'pdElectionMs'>;
}

/**
 * PD's own leadership: a key with a lease on top of the Raft group (PD: `member.EmbeddedEtcdMember`, `election.Lease`).
 *
 * Only the Raft leader campaigns, and only while there is no key. A dead leader's key outlives it: a new Raft leader
 * gives every lease one election time on top of its full life, as etcd's lessor does, because it cannot know when the
 * lease was last renewed. So a leader that was killed is named for election (1-2 x `pdElectionMs`, drawn by Raft)
 * + `pdLeaseMs` + `pdElectionMs`: 11 to 14 s in `real`, and as a real PD was measured (11.3-12.8 s); a fifth in `fast`.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  #held: { readonly key: LeaderKey; readonly untilMs: number } | null = null;
  #raftTerm = -1;
  /** When a key that somebody else left behind runs out; known only to the Raft leader. */
  #othersUntilMs = 0;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  /** Does this member serve as PD's leader? Another Raft leader ends it at once, silence only with the lease. */
  serves({ nowMs, isRaftLeader, raftLeader, key }: Sight): boolean {
    if (this.#held === null || key?.lease !== this.#held.key.lease || nowMs >= this.#held.untilMs) return false;
    return isRaftLeader || raftLeader === null;
  }

  /** Whom this member names as PD's leader: whoever holds the key, but not itself on an old one. */
  named(sight: Sight): string | null {
    const holder = sight.key?.member ?? null;
    return holder === this.#options.self && !this.serves(sight) ? null : holder;
  }

  /** What should happen next. To be asked on every tick and after every change of the key or of the Raft leader. */
  wish(sight: Sight): Wish {
    this.#noticeTerm(sight);
    const { key } = sight;
    if (key === null) return sight.isRaftLeader ? { kind: 'take', key: this.#newKey(sight) } : NOTHING;
    if (this.serves(sight)) return NOTHING;
    if (key.member === this.#options.self) return { kind: 'leave', key };
    return sight.isRaftLeader && sight.nowMs >= this.#othersUntilMs ? { kind: 'leave', key } : NOTHING;
  }

  /** The key was taken by a proposal made at `askedAtMs`. */
  took(key: LeaderKey, askedAtMs: number): void {
    this.#held = { key, untilMs: askedAtMs + this.#options.times.pdLeaseMs };
  }

  /** A majority confirmed at some time after `askedAtMs` that this member still leads. */
  renewed(askedAtMs: number): void {
    if (this.#held === null || askedAtMs >= this.#held.untilMs) return;
    this.#held = { ...this.#held, untilMs: askedAtMs + this.#options.times.pdLeaseMs };
  }

  #noticeTerm({ nowMs, isRaftLeader, raftTerm }: Sight): void {
    if (!isRaftLeader || raftTerm === this.#raftTerm) return;
    this.#raftTerm = raftTerm;
    const { pdLeaseMs, pdElectionMs } = this.#options.times;
    this.#othersUntilMs = nowMs + pdLeaseMs + pdElectionMs;
  }

  /** Within a Raft term a member takes the key at most once at a time, so time tells two of its leases apart. */
  #newKey({ nowMs, raftTerm }: Sight): LeaderKey {
    return { member: this.#options.self, lease: `${this.#options.self}/${raftTerm}/${Math.floor(nowMs)}` };
  }
}
