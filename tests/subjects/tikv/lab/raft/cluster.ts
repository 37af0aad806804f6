import type { RaftOptions } from '../../../../../subjects/tikv/lab/raft/member.js';
import type { Message } from '../../../../../subjects/tikv/lab/raft/messages.js';
import { RaftNode } from '../../../../../subjects/tikv/lab/raft/node.js';
import { blankRestored, persist } from '../../../../../subjects/tikv/lab/raft/restored.js';
import type { Entry, NodeId, RaftRestored, Snapshot } from '../../../../../subjects/tikv/lab/raft/types.js';

export const ELECTION_TICKS = 10;

/** Disks of founders that start from a snapshot, so that the group can change its members. */
export function foundingDisks(voters: NodeId[]): Record<NodeId, RaftRestored> {
  const snapshot = { index: 5, term: 0, voters, data: 'founded' };
  const disk = () => ({ hardState: { term: 0, vote: null, commit: 5 }, entries: [], snapshot });
  return Object.fromEntries(voters.map((id) => [id, disk()]));
}

interface Seat {
  options: RaftOptions;
  disk: RaftRestored;
  node: RaftNode;
  applied: Entry[];
  installed: Snapshot[];
}

/** Some nodes with instant disks, and a wire on which nothing moves until the test says so. */
export class Cluster {
  /** Everything sent and not yet delivered. */
  wire: Message[] = [];
  /** Messages that are thrown away. */
  lost: (message: Message) => boolean = () => false;
  readonly ids: NodeId[];
  private readonly seats = new Map<NodeId, Seat>();

  constructor(ids: NodeId[], tuning: Partial<RaftOptions> & { disks?: Record<NodeId, RaftRestored> } = {}) {
    const { disks, ...options } = tuning;
    this.ids = [...ids];
    ids.forEach((id, at) => {
      const random = () => at / ids.length;
      const all = { id, voters: ids, electionTicks: ELECTION_TICKS, heartbeatTicks: 2, random, ...options };
      this.sit(id, all, disks?.[id] ?? blankRestored());
    });
  }

  /** A member that knows nothing yet, ready to be added to the group. */
  join(id: NodeId): void {
    this.ids.push(id);
    const options = { id, voters: [], electionTicks: ELECTION_TICKS, heartbeatTicks: 2, random: () => 0.9 };
    this.sit(id, options, blankRestored());
  }

  node(id: NodeId): RaftNode {
    return this.seat(id).node;
  }

  applied(id: NodeId): string[] {
    return this.seat(id).applied.flatMap(({ data }) => data || []);
  }

  installed(id: NodeId): Snapshot[] {
    return this.seat(id).installed;
  }

  disk(id: NodeId): RaftRestored {
    return this.seat(id).disk;
  }

  /** Does all local work of one member: persists, applies, puts its messages on the wire. */
  work(id: NodeId): void {
    const { node, disk, applied, installed } = this.seat(id);
    for (let ready = node.ready(); ready; ready = node.ready()) {
      persist(disk, ready);
      this.wire.push(...ready.messages.filter((message) => !this.lost(message)));
      if (ready.snapshot) installed.push(ready.snapshot);
      applied.push(...ready.committed);
      node.advance();
    }
  }

  /** Delivers until nobody has anything left to say. */
  settle(): void {
    for (const id of this.ids) this.work(id);
    while (this.wire.length > 0) this.deliver(this.wire.splice(0));
  }

  deliver(messages: Message[]): void {
    for (const message of messages) {
      this.node(message.to).step(message);
      this.work(message.to);
    }
  }

  /** `times` ticks of these members (of all by default), everything delivered after each. */
  tick(times: number, ids: NodeId[] = this.ids): void {
    for (let at = 0; at < times; at += 1) {
      for (const id of ids) this.node(id).tick();
      this.settle();
    }
  }

  /** Makes `id` the first leader. */
  elect(id: NodeId): RaftNode {
    this.node(id).campaign();
    this.settle();
    return this.node(id);
  }

  cutOff(...ids: NodeId[]): void {
    this.lost = ({ from, to }) => ids.includes(from) !== ids.includes(to);
  }

  reconnect(): void {
    this.lost = () => false;
  }

  restart(id: NodeId): void {
    const { options, disk } = this.seat(id);
    this.sit(id, options, disk);
  }

  private sit(id: NodeId, options: RaftOptions, disk: RaftRestored): void {
    this.seats.set(id, { options, disk, node: new RaftNode(options, disk), applied: [], installed: [] });
  }

  private seat(id: NodeId): Seat {
    const seat = this.seats.get(id);
    if (!seat) throw new RangeError(`no member ${id}`);
    return seat;
  }
}
