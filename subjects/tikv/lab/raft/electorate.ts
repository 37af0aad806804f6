import { membersOf } from './membership.js';
import type { Membership, NodeId } from './types.js';

/** How an election stands: `lost` is certain, whatever the others answer. */
export type Tally = 'won' | 'lost' | 'open';

/** What nobody has reached. */
const NOTHING = Number.NEGATIVE_INFINITY;

/** A configuration, made ready for counting. Whatever counts must hold in every half. */
export class Electorate {
  readonly membership: Membership;
  /** One set of voters; two while joint. */
  readonly halves: readonly (readonly NodeId[])[];
  readonly voters: ReadonlySet<NodeId>;
  readonly members: readonly NodeId[];

  constructor(membership: Membership) {
    const { voters, outgoing } = membership;
    this.membership = membership;
    this.halves = outgoing ? [voters, outgoing] : [voters];
    this.voters = new Set(this.halves.flat());
    this.members = membersOf(membership);
  }

  /** The largest value that a majority of every half reaches. */
  agreed(reachedBy: (voter: NodeId) => number): number {
    let lowest = majority(this.membership.voters, reachedBy);
    for (let at = 1; at < this.halves.length; at += 1) {
      const reached = majority(this.halves[at] ?? [], reachedBy);
      if (reached < lowest) lowest = reached;
    }
    return lowest;
  }

  tally(votes: ReadonlyMap<NodeId, boolean>): Tally {
    const counts = this.halves.map((half) => count(half, votes));
    if (counts.includes('lost')) return 'lost';
    return counts.includes('open') ? 'open' : 'won';
  }
}

function majority(half: readonly NodeId[], reachedBy: (voter: NodeId) => number): number {
  const values = half.map(reachedBy);
  const need = (half.length >> 1) + 1;
  let best = NOTHING;
  for (const value of values) {
    // Halves are small and this runs at every tick: counting is faster than sorting.
    if (value > best && countFrom(values, value) >= need) best = value;
  }
  return best;
}

function countFrom(values: readonly number[], least: number): number {
  let reached = 0;
  for (const value of values) if (value >= least) reached += 1;
  return reached;
}

function count(half: readonly NodeId[], votes: ReadonlyMap<NodeId, boolean>): Tally {
  const need = (half.length >> 1) + 1;
  const granted = half.filter((voter) => votes.get(voter) === true).length;
  const refused = half.filter((voter) => votes.get(voter) === false).length;
  if (granted >= need) return 'won';
  return half.length - refused < need ? 'lost' : 'open';
}
