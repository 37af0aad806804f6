import { RaftNode } from '../../../../../../subjects/tikv/lab/raft/node.js';
import type { Entry } from '../../../../../../subjects/tikv/lab/raft/types.js';

/** A node whose log the checker can read. The mutants derive from it. */
export class Probe extends RaftNode {
  /** First index held in memory. */
  get heldFrom(): number {
    return this.core.log.base.index + 1;
  }

  termAt(index: number): number | null {
    return this.core.log.termAt(index);
  }

  entryAt(index: number): Entry | undefined {
    return this.core.log.slice({ from: index, to: index })[0];
  }
}
