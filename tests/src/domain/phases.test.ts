import { describe, expect, it } from '@jest/globals';
import {
  CLOSED_PHASES,
  IllegalMove,
  isClosed,
  MOVES,
  type Move,
  nextPhase,
  OPEN_PHASES,
  type OpenPhase,
  type Phase,
} from '../../../src/domain/phases.js';

const moves = Object.keys(MOVES) as Move[];
const phases: readonly Phase[] = [...OPEN_PHASES, ...CLOSED_PHASES];
const allows = (move: Move, phase: Phase) => (MOVES[move].from as readonly Phase[]).includes(phase);

describe('the phase table', () => {
  it.each(
    moves.flatMap((move) => phases.filter((phase) => allows(move, phase)).map((phase) => [move, phase] as const)),
  )('lets %s leave %s', (move, phase) => {
    expect(nextPhase(phase, move)).toBe(MOVES[move].to);
  });

  it('refuses every edge that is not in it', () => {
    const refused = moves.flatMap((move) =>
      phases.filter((phase) => !allows(move, phase)).map((phase) => [move, phase] as const),
    );
    expect(refused.length).toBeGreaterThan(200);
    for (const [move, phase] of refused) expect(() => nextPhase(phase, move)).toThrow(IllegalMove);
  });

  it('has no way out of a closed phase', () => {
    for (const phase of CLOSED_PHASES) expect(moves.filter((move) => allows(move, phase))).toEqual([]);
  });

  it('leads from every open phase to a closed one, and every open phase can be escalated and aborted', () => {
    for (const phase of OPEN_PHASES) {
      expect(reachable(phase).some(isClosed)).toBe(true);
      expect(allows('aborted', phase)).toBe(true);
      if (phase !== 'escalated') expect(nextPhase(phase, 'escalated')).toBe('escalated');
    }
  });

  it('reaches resolved only out of verifying', () => {
    expect(moves.filter((move) => MOVES[move].to === 'resolved').flatMap((move) => [...MOVES[move].from])).toEqual([
      'verifying',
    ]);
  });

  it('never lets a person end a ticket while a command may run', () => {
    expect(MOVES.closedByPerson.from).not.toContain('remediating');
    expect(MOVES.closedByPerson.from).not.toContain('undoing');
  });

  it('lets a ticket clear by itself only where nothing can have been done', () => {
    for (const phase of ['remediating', 'verifying', 'undoing'] satisfies OpenPhase[])
      expect(allows('selfCleared', phase)).toBe(false);
  });
});

function reachable(from: Phase): Phase[] {
  const seen = new Set<Phase>([from]);
  for (const phase of seen) for (const move of moves) if (allows(move, phase)) seen.add(MOVES[move].to);
  return [...seen];
}
