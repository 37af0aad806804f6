import { MedicError } from '../domain/errors.js';
import type { Thought } from '../domain/next-step.js';
import type { Reasoner } from './reasoner.js';

/** One turn of an archive. */
export interface RecordedThought {
  readonly turn: number;
  readonly thought: Thought;
}

/**
 * Answers each turn with what was thought in it before: for replay, what-if and tests. It looks at no evidence, so it can
 * be wrong about a world that went another way.
 *
 * @throws MedicError `MEDIC_REASONER_NOTHING_RECORDED` from `reason`, for a turn that the archive does not hold
 */
export function createRecordedReasoner(archive: readonly RecordedThought[]): Reasoner {
  const byTurn = new Map(archive.map(({ turn, thought }) => [turn, thought]));
  return {
    name: 'recorded',
    async reason({ ticket, turn }) {
      const thought = byTurn.get(turn);
      if (thought) return { ...thought, reasoner: 'recorded' };
      const held = [...byTurn.keys()].sort((a, b) => a - b).join(', ') || 'none';
      throw new MedicError(
        'MEDIC_REASONER_NOTHING_RECORDED',
        `Nothing is recorded for turn ${turn} of ${ticket}; the archive holds turns: ${held}`,
      );
    },
  };
}
