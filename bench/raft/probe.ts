import { RaftNode } from '../../subjects/tikv/lab/raft/node.js';

/** A node whose log the checker can read. The mutants derive from it. */
export class Probe extends RaftNode {
  /** First index held in memory. */
  get heldFrom(): number {
    return this.core.log.base.index + 1;
  }

  termAt(index: number): number | null {
    return this.core.log.termAt(index);
  }

  /** Votes as far as it knows, so it may stand for election. */
  get isVoter(): boolean {
    return this.core.isVoter;
  }
}
