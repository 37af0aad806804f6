import { type Answer, json } from './answers/answer.js';
import { ProposalLost } from './group.js';
import type { PdNode } from './node.js';
import { type Change, isChange, type Outcome } from './route.js';

/** etcd's words for a write that no majority took, as PD passes them on. */
const NOT_WRITTEN = '[PD:etcd:ErrEtcdKVPut]context deadline exceeded: context deadline exceeded';

type ChangingNode = Pick<PdNode, 'propose' | 'pause' | 'forgetRegion' | 'operate'>;

/**
 * Carries out what routes decide. Changes go one after another, each decided on what the one before left behind, so that
 * two removals cannot both count on the other's store. While a majority is away they therefore wait for each other.
 */
export class Turns {
  readonly #node: ChangingNode;
  #last: Promise<unknown> = Promise.resolve();

  constructor(node: ChangingNode) {
    this.#node = node;
  }

  /** Decides and carries out once every change before this one is settled. */
  inTurn(decide: () => Outcome): Promise<Answer> {
    const turn = this.#last.then(() => this.run(decide));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Decides and carries out at once; for reads, which change nothing. */
  async run(decide: () => Outcome): Promise<Answer> {
    const outcome = decide();
    return isChange(outcome) ? this.#carryOut(outcome) : outcome;
  }

  async #carryOut(change: Change): Promise<Answer> {
    const {
      commands,
      pauses = [],
      forgottenRegions = [],
      operators = [],
      answer,
      refusedAnswer,
      lostStatus = 500,
    } = change;
    try {
      for (const command of commands) await this.#node.propose(command);
      for (const pause of pauses) this.#node.pause(pause);
      for (const id of forgottenRegions) this.#node.forgetRegion(id);
      for (const order of operators) {
        if ((await this.#node.operate(order)) === 'refused') return refusedAnswer ?? answer;
      }
      return answer;
    } catch (error) {
      if (error instanceof ProposalLost) return refusedAnswer ?? json(NOT_WRITTEN, lostStatus);
      throw error;
    }
  }
}
