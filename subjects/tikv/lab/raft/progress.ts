import type { PeerProgress, ReplicationState } from './member.js';
import type { NodeId } from './types.js';

/** Taken once: a global is slow to look up in the module context in which the simulation is tested. */
const { max } = Math;

/** Unacknowledged entries a leader sends ahead to one follower before it waits. */
const WINDOW_ENTRIES = 512;

/** What a leader knows about one other member. Times are in the leader's ticks. */
export class Progress {
  readonly id: NodeId;
  match = 0;
  applied = 0;
  next: number;
  state: ReplicationState = 'probe';
  /** When the last answer of any kind came. */
  heardAt: number;
  /** Sending time of the newest heartbeat that was answered: what a lease counts from. */
  leaseAt = Number.NEGATIVE_INFINITY;
  /** A probe is on its way; the next one waits for an answer. */
  probing = false;
  /** Entries are missing although all were sent: some append may be lost, so ask with an empty one. */
  doubted = false;
  /** Highest commit index sent. */
  commitSent = 0;
  snapshotSentAt = 0;

  constructor({ id, next, now }: { id: NodeId; next: number; now: number }) {
    this.id = id;
    this.next = next;
    this.heardAt = now;
  }

  get hasRoom(): boolean {
    return this.next - this.match <= WINDOW_ENTRIES;
  }

  appended(match: number): void {
    this.match = max(this.match, match);
    this.next = max(this.next, this.match + 1);
    this.probing = false;
  }

  /** Start over from `next`, one message at a time. */
  probe(next: number): void {
    this.state = 'probe';
    this.next = max(next, this.match + 1);
    this.probing = false;
  }

  replicate(): void {
    if (this.state !== 'replicate') this.next = this.match + 1;
    this.state = 'replicate';
    this.probing = false;
  }

  awaitSnapshot(now: number): void {
    this.state = 'snapshot';
    this.snapshotSentAt = now;
  }

  /** Is a refusal of `prevIndex` about what was sent last, and not an old message? */
  isCurrentRefusal(prevIndex: number): boolean {
    return this.state === 'probe' ? prevIndex === this.next - 1 : prevIndex > this.match;
  }

  view({ now, electionTicks }: { now: number; electionTicks: number }): PeerProgress {
    const { match, next, applied, state } = this;
    return { match, next, applied, state, recentActive: now - this.heardAt < electionTicks };
  }
}
