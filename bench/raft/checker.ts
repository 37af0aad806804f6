import type { Entry, Installed, Membership, NodeId } from '../../subjects/tikv/lab/raft/types.js';
import type { MachineState } from './machine.js';
import type { Probe } from './probe.js';

/**
 * What can go wrong: Raft's four safety properties, acknowledged writes, lease reads, what clients see, liveness, and a
 * node's own alarm.
 */
export type ViolationKind =
  | 'two-leaders'
  | 'outsider-stands'
  | 'logs-differ'
  | 'leader-lacks-committed'
  | 'states-differ'
  | 'write-lost'
  | 'stale-read'
  | 'lease-broken'
  | 'not-linearizable'
  | 'stuck'
  | 'panic';

/** Thrown at the first violation; ends the simulation. */
export class Violation extends Error {
  constructor(
    readonly kind: ViolationKind,
    message: string,
  ) {
    super(`${kind}: ${message}`);
  }
}

interface Committed {
  entry: Entry;
  digest: number;
  /** Term of the first member seen to apply it, so it was committed in this term or earlier. */
  by: number;
}

/** What every log must hold that has an entry of this index and term. */
interface Written {
  content: string;
  previousTerm: number | null;
}

/** Terms stay far below this, so index and term make one number. */
const TERMS = 2 ** 20;

/** Who says that something is wrong: `clients` know nothing but what they were answered. */
export type Judge = 'everybody' | 'clients';

/** Looks at everything from outside, as no member can. */
export class Checker {
  /** Highest index that a client knows of: acknowledged, or seen in a read. */
  floor = 0;
  /** The last configuration that anybody applied. */
  newest: Installed;
  private readonly leaders = new Map<number, NodeId>();
  private readonly committed = new Map<number, Committed>();
  private readonly memberships = new Map<number, string>();
  private readonly written = new Map<number, Written>();
  private highest = 0;
  private readonly judge: Judge;

  constructor({ founding, judge }: { founding: Installed; judge: Judge }) {
    this.newest = founding;
    this.judge = judge;
  }

  get elections(): number {
    return this.leaders.size;
  }

  /** Changes of members that were applied. */
  get changes(): number {
    return this.memberships.size;
  }

  applied({ node, entry, state }: { node: Probe; entry: Entry; state: MachineState }): void {
    const known = this.committed.get(entry.index);
    if (!known) {
      this.committed.set(entry.index, { entry, digest: state.digest, by: node.term });
      this.highest = Math.max(this.highest, entry.index);
    } else if (known.entry.term !== entry.term || known.digest !== state.digest) {
      this.found('states-differ', `${node.id} applied ${show(entry)}, another member ${show(known.entry)}`);
    }
  }

  changed(id: NodeId, { index, membership }: Installed): void {
    const shown = showMembership(membership);
    const known = this.memberships.get(index);
    if (known !== undefined && known !== shown) {
      this.found('states-differ', `at ${index} the group is ${shown} for ${id}, ${known} for another`);
    }
    this.memberships.set(index, shown);
    if (index > this.newest.index) this.newest = { index, membership };
  }

  installed({ id, state }: { id: NodeId; state: MachineState }): void {
    const known = this.committed.get(state.index);
    if (known?.digest === state.digest) return;
    if (!known && state.digest === 0) return;
    this.found('states-differ', `${id} got a snapshot at ${state.index} that is not the committed state`);
  }

  /** Two logs that have an entry of the same index and term are equal up to there: by induction, entry by entry. */
  wrote(node: Probe, entries: readonly Entry[]): void {
    for (const entry of entries) {
      const key = entry.index * TERMS + entry.term;
      const previousTerm = node.termAt(entry.index - 1);
      const content = entry.change ? JSON.stringify(entry.change) : entry.data;
      const known = this.written.get(key);
      if (!known) this.written.set(key, { content, previousTerm });
      else if (known.content !== content || known.previousTerm !== previousTerm) {
        this.found('logs-differ', `${node.id} has another ${show(entry)} or another one before it`);
      }
    }
  }

  acknowledged(index: number): void {
    this.floor = Math.max(this.floor, index);
  }

  /** `floor` is what clients knew when the read began, `state` what it was answered from. */
  read({ id, floor, state }: { id: NodeId; floor: number; state: MachineState }): void {
    if (state.index < floor) this.found('stale-read', `${id} answered at ${state.index}, known is ${floor}`);
    this.floor = Math.max(this.floor, state.index);
  }

  /** After every event. A paused member leads, but can answer no client until it has caught up with the time. */
  roles(members: Iterable<{ node: Probe | null; paused: boolean }>): void {
    const leading: { node: Probe; paused: boolean }[] = [];
    for (const { node, paused } of members) {
      if (!node || node.role === 'follower') continue;
      if (!node.isVoter) this.found('outsider-stands', `${node.id} is ${node.role} and no voter`);
      if (node.role !== 'leader') continue;
      this.leads(node);
      leading.push({ node, paused });
    }
    if (leading.length > 1) this.leases(leading);
  }

  /** At the end, with every member caught up. */
  converged(states: Map<NodeId, MachineState>): void {
    for (const [id, { index, digest }] of states) {
      if (index < this.floor) this.found('write-lost', `${id} ends at ${index}, acknowledged is ${this.floor}`);
      const known = this.committed.get(index);
      if (known?.digest !== digest) this.found('states-differ', `${id} ends in another state at ${index}`);
    }
  }

  private leads(node: Probe): void {
    const known = this.leaders.get(node.term);
    if (known === node.id) return;
    if (known) this.found('two-leaders', `${known} and ${node.id} in term ${node.term}`);
    this.leaders.set(node.term, node.id);
    if (this.judge === 'clients') return;
    for (let index = node.heldFrom; index <= this.highest; index += 1) this.mustHold(node, index);
  }

  private mustHold(node: Probe, index: number): void {
    const known = this.committed.get(index);
    if (!known || known.by >= node.term || node.termAt(index) === known.entry.term) return;
    this.found('leader-lacks-committed', `${node.id} leads term ${node.term} without ${show(known.entry)}`);
  }

  /** While the newest leader is there, no older one may trust its lease. */
  private leases(leading: { node: Probe; paused: boolean }[]): void {
    const newest = leading.reduce((a, b) => (a.node.term > b.node.term ? a : b)).node;
    for (const { node, paused } of leading) {
      if (node === newest || paused || !node.leaseValid()) continue;
      const newer = `${newest.id} leads ${newest.term}`;
      this.found('lease-broken', `${node.id} trusts its lease of term ${node.term}, ${newer}`);
    }
  }

  private found(kind: ViolationKind, message: string): void {
    if (this.judge === 'everybody') throw new Violation(kind, message);
  }
}

/** `n1 n2 n3, was n1 n4, learning n5`. */
export function showMembership({ voters, outgoing, learners, learnersNext }: Membership): string {
  const part = (word: string, ids: readonly NodeId[] | undefined) => (ids ? `, ${word} ${ids.join(' ')}` : '');
  return `${voters.join(' ')}${part('was', outgoing)}${part('learning', learners)}${part('to learn', learnersNext)}`;
}

function show({ index, term, data, change }: Entry): string {
  return `entry ${index} of term ${term} (${change ? 'change' : data || 'no-op'})`;
}
