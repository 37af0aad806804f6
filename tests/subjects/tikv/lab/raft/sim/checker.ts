import type { Entry, NodeId } from '../../../../../../subjects/tikv/lab/raft/types.js';
import type { MachineState } from './machine.js';
import type { Probe } from './probe.js';

/** What can go wrong: Raft's four safety properties, acknowledged writes, lease reads, liveness, and a node's own alarm. */
export type ViolationKind =
  | 'two-leaders'
  | 'logs-differ'
  | 'leader-lacks-committed'
  | 'states-differ'
  | 'write-lost'
  | 'stale-read'
  | 'lease-broken'
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

/** Looks at everything from outside, as no member can. */
export class Checker {
  /** Highest index that a client knows of: acknowledged, or seen in a read. */
  floor = 0;
  private readonly leaders = new Map<number, NodeId>();
  private readonly committed = new Map<number, Committed>();
  private highest = 0;

  get elections(): number {
    return this.leaders.size;
  }

  applied({ node, entry, state }: { node: Probe; entry: Entry; state: MachineState }): void {
    const known = this.committed.get(entry.index);
    if (!known) {
      this.committed.set(entry.index, { entry, digest: state.digest, by: node.term });
      this.highest = Math.max(this.highest, entry.index);
    } else if (known.entry.term !== entry.term || known.entry.data !== entry.data || known.digest !== state.digest) {
      throw new Violation('states-differ', `${node.id} applied ${show(entry)}, another member ${show(known.entry)}`);
    }
  }

  installed({ id, state }: { id: NodeId; state: MachineState }): void {
    const known = this.committed.get(state.index);
    if (known?.digest === state.digest) return;
    throw new Violation('states-differ', `${id} got a snapshot at ${state.index} that is not the committed state`);
  }

  acknowledged(index: number): void {
    this.floor = Math.max(this.floor, index);
  }

  /** `floor` is what clients knew when the read began, `state` what it was answered from. */
  read({ id, floor, state }: { id: NodeId; floor: number; state: MachineState }): void {
    if (state.index < floor) throw new Violation('stale-read', `${id} answered at ${state.index}, known is ${floor}`);
    this.floor = Math.max(this.floor, state.index);
  }

  /** After every event. A paused member leads, but can answer no client until it has caught up with the time. */
  roles(members: readonly { node: Probe | null; paused: boolean }[]): void {
    let newest: Probe | null = null;
    for (const { node } of members) {
      if (node?.role !== 'leader') continue;
      this.leads(node);
      if (node.term > (newest?.term ?? 0)) newest = node;
    }
    for (const { node, paused } of members) {
      if (!newest || !node || paused || node.term >= newest.term || !node.leaseValid()) continue;
      const newer = `${newest.id} leads ${newest.term}`;
      throw new Violation('lease-broken', `${node.id} trusts its lease of term ${node.term}, ${newer}`);
    }
  }

  /** Two logs that have an entry of the same index and term are equal up to there. */
  logs(nodes: Probe[]): void {
    for (const a of nodes) for (const b of nodes) if (a.id < b.id) compareLogs(a, b);
  }

  /** At the end, with every member caught up. */
  converged(states: Map<NodeId, MachineState>): void {
    for (const [id, { index, digest }] of states) {
      if (index < this.floor)
        throw new Violation('write-lost', `${id} ends at ${index}, acknowledged is ${this.floor}`);
      const known = this.committed.get(index);
      if (known?.digest !== digest) throw new Violation('states-differ', `${id} ends in another state at ${index}`);
    }
  }

  private leads(node: Probe): void {
    const known = this.leaders.get(node.term);
    if (known === node.id) return;
    if (known) throw new Violation('two-leaders', `${known} and ${node.id} in term ${node.term}`);
    this.leaders.set(node.term, node.id);
    for (let index = node.heldFrom; index <= this.highest; index += 1) this.mustHold(node, index);
  }

  private mustHold(node: Probe, index: number): void {
    const known = this.committed.get(index);
    if (!known || known.by >= node.term || node.termAt(index) === known.entry.term) return;
    throw new Violation('leader-lacks-committed', `${node.id} leads term ${node.term} without ${show(known.entry)}`);
  }
}

function compareLogs(a: Probe, b: Probe): void {
  const from = Math.max(a.heldFrom, b.heldFrom);
  let meet = Math.min(a.lastIndex, b.lastIndex);
  while (meet >= from && a.termAt(meet) !== b.termAt(meet)) meet -= 1;
  for (let index = meet; index >= from; index -= 1) {
    const [mine, other] = [a.entryAt(index), b.entryAt(index)];
    if (mine?.term === other?.term && mine?.data === other?.data) continue;
    throw new Violation('logs-differ', `${a.id} and ${b.id} agree at ${meet}, not at ${index}`);
  }
}

function show({ index, term, data }: Entry): string {
  return `entry ${index} of term ${term} (${data || 'no-op'})`;
}
